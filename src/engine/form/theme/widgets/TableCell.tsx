import { isNormalized, normalizeText } from '../../../../../schemas/kit/form/normalize-text.ts';
import { useT } from '../../../../kernel/i18n/index.ts';
import { Checkbox, type ControlAttributes, NumberField, SelectField, TextField } from '../../../../ui/index.ts';
import { formatPlain } from '../../format-plain.ts';
import type { JsonSchema, JsonValue } from '../../../../../schemas/kit/form/types.ts';

export interface TableCellProps {
  schema: JsonSchema;
  value: JsonValue | undefined;
  attributes: ControlAttributes & { 'aria-label': string };
  disabled: boolean | undefined;
  onChange: (value: JsonValue | undefined) => void;
}

/** The control of one cell, by the type of its column. */
export function TableCell({ schema, value, attributes, disabled, onChange }: TableCellProps) {
  const t = useT();
  const { enum: choices, type, format, maxLength } = schema;
  if (choices) {
    return (
      <SelectField
        {...attributes}
        value={value}
        choices={choices.map((choice) => ({ value: choice, label: String(choice) }))}
        emptyLabel={t('form.choose')}
        disabled={disabled}
        onChange={onChange}
      />
    );
  }
  if (type === 'boolean') {
    return <Checkbox {...attributes} checked={value === true} disabled={disabled} onChange={(event) => onChange(event.target.checked)} />;
  }
  if (type === 'integer' || type === 'number') {
    return (
      <NumberField
        {...attributes}
        value={typeof value === 'number' || typeof value === 'string' ? value : undefined}
        format={formatPlain}
        isInteger={type === 'integer'}
        disabled={disabled}
        autoComplete="off"
        onChange={onChange}
      />
    );
  }
  return (
    <TextField
      {...attributes}
      value={typeof value === 'string' || typeof value === 'number' ? String(value) : ''}
      maxLength={format !== undefined && isNormalized(format) ? undefined : maxLength}
      normalize={format !== undefined && isNormalized(format) ? (typed) => normalizeText(format, typed) : undefined}
      disabled={disabled}
      autoComplete="off"
      onChange={onChange}
    />
  );
}
