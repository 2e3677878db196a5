import { DateField } from '../../../ui/fields/DateField.tsx';
import type { FieldKindProps } from '../kinds.ts';

/** A day of the calendar: `YYYY-MM-DD`, without a time and without a zone. */
export function DateKind({ ui, value, control, onChange, onBlur }: FieldKindProps) {
  return (
    <DateField
      {...control}
      type="date"
      value={typeof value === 'string' ? value : ''}
      disabled={ui['ui:disabled']}
      hasAutofocus={ui['ui:autofocus']}
      onChange={(next) => onChange(next === '' ? undefined : next)}
      onBlur={onBlur}
    />
  );
}
