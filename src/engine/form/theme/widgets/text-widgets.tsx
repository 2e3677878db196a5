import { useMemo } from 'react';
import { applyMask, maskCaret, maskExample } from '../../../../../schemas/kit/form/mask.ts';
import { isNormalized, normalizeText } from '../../../../../schemas/kit/form/normalize-text.ts';
import { useT } from '../../../../kernel/i18n/index.ts';
import { ColorField, NumberField, PasswordField, TextAreaField, TextField } from '../../../../ui/index.ts';
import { CodeScanner } from './CodeScanner.tsx';
import { formatPlain } from '../../format-plain.ts';
import { asText, baseOf } from '../widget-base.ts';
import type { FormWidgetProps } from '../widgets.ts';

const INPUT_MODES: Readonly<Record<string, 'email' | 'tel' | 'numeric' | 'decimal' | undefined>> = {
  email: 'email',
  phone: 'tel',
  imei: 'numeric',
  ipv4: 'decimal',
};

/** One line of text; a number where the schema is a number's. */
export function TextWidget(props: FormWidgetProps) {
  const { type } = props.schema;
  const isNumber = type !== 'string' && [type].flat().some((one) => one === 'number' || one === 'integer');
  return isNumber ? <NumberWidget {...props} /> : <LineWidget {...props} />;
}

function LineWidget(props: FormWidgetProps) {
  const { schema, options, placeholder, value, onChange } = props;
  const { format = '' } = schema;
  const { mask } = options;
  const shape = useMemo(
    () =>
      typeof mask === 'string'
        ? { shape: (typed: string) => applyMask(mask, typed).text, caretOf: (typed: string, at: number) => maskCaret(mask, typed, at) }
        : undefined,
    [mask],
  );
  return (
    <TextField
      {...baseOf(props)}
      value={asText(value)}
      onChange={onChange}
      inputMode={INPUT_MODES[format]}
      placeholder={placeholder || (typeof mask === 'string' ? maskExample(mask) : undefined)}
      // A mask bounds the text by itself, and shows what is too much.
      maxLength={shape === undefined && !isNormalized(format) ? schema.maxLength : undefined}
      autoComplete={options.autocomplete ?? 'off'}
      addon={asText(options['addon'])}
      isMonospace={options['monospace'] === true}
      mask={shape}
      normalize={isNormalized(format) ? (typed) => normalizeText(format, typed) : undefined}
    />
  );
}

export function TextAreaWidget(props: FormWidgetProps) {
  const { schema, options, placeholder, value, onChange } = props;
  const text = asText(value);
  const area = (
    <TextAreaField
      {...baseOf(props)}
      value={text}
      onChange={onChange}
      rows={options.rows}
      placeholder={placeholder || undefined}
      maxLength={schema.maxLength}
      isMonospace={options['monospace'] === true}
    />
  );
  if (options['scan'] !== true) return area;
  return (
    <div>
      {area}
      <CodeScanner onLines={(lines) => onChange([...(text ? [text.trimEnd()] : []), ...lines].join('\n'))} />
    </div>
  );
}

export function NumberWidget(props: FormWidgetProps) {
  const { schema, options, placeholder, value, onChange } = props;
  return (
    <NumberField
      {...baseOf(props)}
      value={typeof value === 'number' || typeof value === 'string' ? value : undefined}
      onChange={onChange}
      format={formatPlain}
      isInteger={schema.type === 'integer'}
      step={schema.multipleOf}
      min={schema.minimum}
      max={schema.maximum}
      placeholder={placeholder || undefined}
      autoComplete="off"
      addon={asText(options['addon'])}
    />
  );
}

export function PasswordWidget(props: FormWidgetProps) {
  const { schema, options, placeholder, value, onChange } = props;
  const autoComplete = options.autocomplete ?? 'new-password';
  return (
    <PasswordField
      {...baseOf(props)}
      value={asText(value)}
      onChange={onChange}
      autoComplete={autoComplete}
      placeholder={placeholder || undefined}
      isNew={options['generate'] === 'password' || autoComplete === 'new-password'}
      maxLength={schema.maxLength}
    />
  );
}

export function ColorWidget(props: FormWidgetProps) {
  const t = useT();
  return <ColorField {...baseOf(props)} value={asText(props.value)} onChange={props.onChange} pickLabel={t('form.color.pick')} />;
}
