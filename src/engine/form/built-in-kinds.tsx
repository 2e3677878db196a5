import { useMemo } from 'react';
import { applyMask, maskCaret, maskExample } from '../../../schemas/kit/mask.ts';
import { isNormalized, normalizeText } from '../../../schemas/kit/normalize-text.ts';
import { useT, useText } from '../../kernel/i18n/index.ts';
import { CheckboxField } from '../../ui/fields/CheckboxField.tsx';
import { ColorField } from '../../ui/fields/ColorField.tsx';
import { NumberField } from '../../ui/fields/NumberField.tsx';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { RadioField } from '../../ui/fields/RadioField.tsx';
import { SelectField } from '../../ui/fields/SelectField.tsx';
import { TextAreaField } from '../../ui/fields/TextAreaField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { registerFieldKind } from './kinds.ts';
import { DateKind } from './kinds/DateKind.tsx';
import { DeviceSelectKind } from './kinds/DeviceSelectKind.tsx';
import { FileKind, filesFault } from './kinds/FileKind.tsx';
import { formatPlain } from './format-plain.ts';
import { ListInputKind } from './kinds/ListInputKind.tsx';
import { JsonKind } from './kinds/JsonKind.tsx';
import { TableInputKind } from './kinds/TableInputKind.tsx';
import { TimeRangeKind } from './kinds/TimeRangeKind.tsx';
import { LookupKind, MultiSelectKind } from './list-kinds.tsx';
import { useChoices } from './choices.ts';
import type { FieldUi } from '../../../schemas/kit/types.ts';
import type { FieldKindProps } from './kinds.ts';

const INPUT_MODES: Readonly<Record<string, 'email' | 'tel' | 'numeric' | 'decimal' | undefined>> = {
  email: 'email',
  phone: 'tel',
  imei: 'numeric',
  ipv4: 'decimal',
};

function TextKind({ property, ui, value, control, onChange, onBlur }: FieldKindProps) {
  const text = useText();
  const { format = '' } = property;
  const mask = ui['ui:mask'];
  const shape = useMemo(
    () =>
      mask === undefined
        ? undefined
        : { shape: (typed: string) => applyMask(mask, typed).text, caretOf: (typed: string, at: number) => maskCaret(mask, typed, at) },
    [mask],
  );
  return (
    <TextField
      {...control}
      value={asText(value)}
      onChange={onChange}
      onBlur={onBlur}
      inputMode={INPUT_MODES[format]}
      placeholder={text(ui['ui:placeholder']) || (mask && maskExample(mask)) || undefined}
      // A mask bounds the text by itself, and shows what is too much.
      maxLength={mask === undefined && !isNormalized(format) ? property.maxLength : undefined}
      autoComplete={ui['ui:autocomplete'] ?? 'off'}
      hasAutofocus={ui['ui:autofocus']}
      disabled={ui['ui:disabled']}
      addon={text(ui['ui:addon'])}
      isMonospace={isMonospace(ui)}
      mask={shape}
      normalize={isNormalized(format) ? (typed) => normalizeText(format, typed) : undefined}
    />
  );
}

function isMonospace(ui: FieldUi): boolean {
  return ui['ui:options']?.monospace === true || ui['ui:class'] === 'monospace';
}

function TextAreaKind({ property, ui, value, control, onChange, onBlur }: FieldKindProps) {
  const text = useText();
  return (
    <TextAreaField
      {...control}
      value={asText(value)}
      onChange={onChange}
      onBlur={onBlur}
      rows={ui['ui:options']?.rows}
      placeholder={text(ui['ui:placeholder']) || undefined}
      maxLength={property.maxLength}
      hasAutofocus={ui['ui:autofocus']}
      disabled={ui['ui:disabled']}
      isMonospace={isMonospace(ui)}
    />
  );
}

function NumberKind({ property, ui, value, control, onChange, onBlur }: FieldKindProps) {
  const text = useText();
  return (
    <NumberField
      {...control}
      value={typeof value === 'number' || typeof value === 'string' ? value : undefined}
      onChange={onChange}
      onBlur={onBlur}
      format={formatPlain}
      isInteger={property.type === 'integer'}
      step={property.multipleOf}
      min={property.minimum}
      max={property.maximum}
      placeholder={text(ui['ui:placeholder']) || undefined}
      autoComplete="off"
      hasAutofocus={ui['ui:autofocus']}
      disabled={ui['ui:disabled']}
      addon={text(ui['ui:addon'])}
    />
  );
}

/** Not ticked is an answer too, so that it is marked as required only where it must be ticked. */
function CheckboxKind({ label, property, ui, value, control, onChange, onBlur }: FieldKindProps) {
  const mustBeTicked = property.const === true || (property.enum?.every((allowed) => allowed === true) ?? false);
  return (
    <CheckboxField
      {...control}
      aria-required={mustBeTicked ? control['aria-required'] : undefined}
      label={label}
      checked={value === true}
      onChange={onChange}
      onBlur={onBlur}
      hasAutofocus={ui['ui:autofocus']}
      disabled={ui['ui:disabled']}
    />
  );
}

function SelectKind({ property, ui, value, control, onChange, onBlur }: FieldKindProps) {
  const t = useT();
  const text = useText();
  return (
    <SelectField
      {...control}
      value={value}
      choices={useChoices(property, ui)}
      onChange={onChange}
      onBlur={onBlur}
      emptyLabel={text(ui['ui:placeholder']) || t(control['aria-required'] ? 'form.choose' : 'form.none')}
      autoComplete={ui['ui:autocomplete']}
      hasAutofocus={ui['ui:autofocus']}
      disabled={ui['ui:disabled']}
    />
  );
}

function RadioKind({ property, ui, value, control, onChange, onBlur }: FieldKindProps) {
  return (
    <RadioField
      {...control}
      value={value}
      choices={useChoices(property, ui)}
      onChange={onChange}
      onBlur={onBlur}
      hasAutofocus={ui['ui:autofocus']}
      disabled={ui['ui:disabled']}
    />
  );
}

function PasswordKind({ property, ui, value, control, onChange, onBlur }: FieldKindProps) {
  const text = useText();
  const autoComplete = ui['ui:autocomplete'] ?? 'new-password';
  return (
    <PasswordField
      {...control}
      value={asText(value)}
      onChange={onChange}
      onBlur={onBlur}
      autoComplete={autoComplete}
      placeholder={text(ui['ui:placeholder']) || undefined}
      isNew={ui['ui:generate'] === 'password' || autoComplete === 'new-password'}
      maxLength={property.maxLength}
      hasAutofocus={ui['ui:autofocus']}
      disabled={ui['ui:disabled']}
    />
  );
}

function ColorKind({ ui, value, control, onChange, onBlur }: FieldKindProps) {
  const t = useT();
  return (
    <ColorField
      {...control}
      value={asText(value)}
      onChange={onChange}
      onBlur={onBlur}
      pickLabel={t('form.color.pick')}
      hasAutofocus={ui['ui:autofocus']}
      disabled={ui['ui:disabled']}
    />
  );
}

function HiddenKind() {
  return null;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

registerFieldKind('text', { component: TextKind, layout: 'field' });
registerFieldKind('textarea', { component: TextAreaKind, layout: 'field' });
registerFieldKind('number', { component: NumberKind, layout: 'field' });
registerFieldKind('checkbox', { component: CheckboxKind, layout: 'inline' });
registerFieldKind('select', { component: SelectKind, layout: 'field' });
registerFieldKind('radio', { component: RadioKind, layout: 'group' });
registerFieldKind('lookup', { component: LookupKind, layout: 'field' });
registerFieldKind('multi-select', { component: MultiSelectKind, layout: 'field' });
registerFieldKind('file', { component: FileKind, layout: 'field', check: filesFault });
registerFieldKind('list-input', { component: ListInputKind, layout: 'field', showsPartErrors: true });
registerFieldKind('table-input', { component: TableInputKind, layout: 'group', showsPartErrors: true });
registerFieldKind('date', { component: DateKind, layout: 'field' });
registerFieldKind('time-range', { component: TimeRangeKind, layout: 'group', showsPartErrors: true });
registerFieldKind('json', { component: JsonKind, layout: 'field' });
registerFieldKind('device-select', { component: DeviceSelectKind, layout: 'group' });
registerFieldKind('password', { component: PasswordKind, layout: 'field' });
registerFieldKind('color', { component: ColorKind, layout: 'field' });
registerFieldKind('hidden', { component: HiddenKind, layout: 'none' });
