import { useState } from 'react';
import { jsonFault } from '../../../../../schemas/kit/form/entry-faults.ts';
import { useT } from '../../../../kernel/i18n/index.ts';
import { Button, TextAreaField } from '../../../../ui/index.ts';
import { isSameData } from '../../prepare.ts';
import type { JsonValue } from '../../../../../schemas/kit/form/types.ts';
import { baseOf } from '../widget-base.ts';
import type { FormWidgetProps } from '../widgets.ts';

/**
 * JSON as text. Where the schema is a text, the text itself is the value; else the parsed value is, and while it cannot be parsed, the text
 * as it is, so that nothing is lost and the schema refuses it.
 */
export function JsonWidget(props: FormWidgetProps) {
  const { schema, options, value, onChange } = props;
  const t = useT();
  const base = baseOf(props);
  const isText = schema.type === 'string';
  const [typed, setTyped] = useState(() => display(value, isText));
  // What is typed stays as long as it means the present value; a value set from outside is written again.
  const text = isSameData(valueOf(typed, isText), value) ? typed : display(value, isText);

  function handleChange(next: string): void {
    setTyped(next);
    onChange(valueOf(next, isText));
  }

  // A text that is kept as it is would lose digits when it is formatted.
  const canFormat = text.trim() !== '' && jsonFault(text, true) === undefined;
  return (
    <TextAreaField
      {...base}
      value={text}
      rows={options.rows ?? 8}
      isMonospace
      maxLength={isText ? schema.maxLength : undefined}
      onChange={handleChange}
      tools={
        <Button variant="link" disabled={!canFormat || base.disabled} onClick={() => handleChange(pretty(JSON.parse(text)))}>
          {t('form.json.format')}
        </Button>
      }
    />
  );
}

function pretty(value: JsonValue): string {
  return JSON.stringify(value, null, 2);
}

function display(value: JsonValue | undefined, isText: boolean): string {
  if (value === undefined) return '';
  return typeof value === 'string' && (isText || jsonFault(value, true)) ? value : pretty(value);
}

function valueOf(text: string, isText: boolean): JsonValue | undefined {
  if (text.trim() === '') return undefined;
  if (isText || jsonFault(text, true)) return text;
  const value: JsonValue = JSON.parse(text);
  return value;
}
