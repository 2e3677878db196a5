import { Suspense, lazy } from 'react';
import { Spinner } from '../../../ui/Spinner.tsx';
import { FieldGroup } from '../../../ui/fields/FieldGroup.tsx';
import { getResource } from '../../resources/all.ts';
import { useForm } from '../form-context.ts';
import { valuesOf } from '../lookup.ts';
import { isDevicesField, matchingOf } from '../prepare.ts';
import type { FieldKindProps } from '../kinds.ts';

const RecordPicker = lazy(() => import('./RecordPicker.tsx'));

const COLUMNS = ['status', 'name', 'model'];

/**
 * The table of devices in small: one device where the schema is a number, several where it is a list; where the form is sent for devices, also all
 * that a query matches. Loaded when it is first drawn.
 */
export function DeviceSelectKind({ name, label, property, ui, value, control, onChange, onBlur }: FieldKindProps) {
  const { lookup = 'devices', supports } = ui['ui:options'] ?? {};
  const { form } = useForm().model.module;
  const isMultiple = property.type === 'array';
  const takesQuery = isMultiple && isDevicesField(form, name);
  return (
    <FieldGroup control={control} hasId onLeave={onBlur}>
      <Suspense fallback={<Spinner />}>
        <RecordPicker
          label={label}
          resource={getResource(lookup)}
          columns={COLUMNS}
          chosen={valuesOf(value).filter((id) => typeof id === 'number')}
          most={isMultiple ? (property.maxItems ?? Infinity) : 1}
          isMultiple={isMultiple}
          supports={supports}
          matching={takesQuery ? matchingOf(value) : undefined}
          onChooseMatching={takesQuery ? onChange : undefined}
          disabled={ui['ui:disabled']}
          onChange={(ids) => onChange(isMultiple ? ids : ids[0])}
        />
      </Suspense>
    </FieldGroup>
  );
}
