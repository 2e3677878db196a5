import { useState } from 'react';
import { jsonFault } from '../../../../schemas/kit/entry-faults.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextAreaField } from '../../../ui/fields/TextAreaField.tsx';
import { isSameData } from '../prepare.ts';
import type { JsonValue } from '../../../../schemas/kit/types.ts';
import type { FieldKindProps } from '../kinds.ts';

/**
 * JSON as text. Where the schema is a text, the text itself is the value; else the parsed value is, and while it cannot be parsed, the text
 * as it stands, so that nothing is lost and the schema refuses it.
 */
export function JsonKind({ property, ui, value, control, onChange, onBlur }: FieldKindProps) {
  const t = useT();
  const isText = property.type === 'string';
  const [typed, setTyped] = useState(() => display(value, isText));
  // What is typed stands as long as it means the present value; a value set from outside is written anew.
  const text = isSameData(valueOf(typed, isText), value) ? typed : display(value, isText);

  function handleChange(next: string): void {
    setTyped(next);
    onChange(valueOf(next, isText));
  }

  const canFormat = text.trim() !== '' && jsonFault(text) === undefined;
  return (
    <TextAreaField
      {...control}
      value={text}
      rows={ui['ui:options']?.rows ?? 8}
      isMonospace
      disabled={ui['ui:disabled']}
      hasAutofocus={ui['ui:autofocus']}
      maxLength={isText ? property.maxLength : undefined}
      onChange={handleChange}
      onBlur={onBlur}
      tools={
        <Button variant="link" disabled={!canFormat || ui['ui:disabled']} onClick={() => handleChange(pretty(JSON.parse(text)))}>
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
  return typeof value === 'string' && (isText || jsonFault(value)) ? value : pretty(value);
}

function valueOf(text: string, isText: boolean): JsonValue | undefined {
  if (text.trim() === '') return undefined;
  if (isText || jsonFault(text)) return text;
  const value: JsonValue = JSON.parse(text);
  return value;
}
