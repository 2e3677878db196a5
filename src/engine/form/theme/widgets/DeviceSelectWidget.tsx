import { Suspense, lazy } from 'react';
import { withTexts } from '../../../../kernel/i18n/index.ts';
import { FieldGroup, Spinner } from '../../../../ui/index.ts';
import { getResource } from '../../../resources/all.ts';
import { contextOf } from '../form-registry-context.ts';
import { keyOf } from '../../paths.ts';
import { valuesOf } from '../../lookup.ts';
import { isDevicesField, matchingOf } from '../../prepare.ts';
import type { FormWidgetProps } from '../widgets.ts';

const RecordPicker = lazy(withTexts(['form', 'lists', 'table'], () => import('./RecordPicker.tsx')));

const COLUMNS = ['status', 'name', 'model'];

/**
 * The table of devices in small: one device where the schema is a number, several where it is a list; where the form is sent for devices, also all
 * that a query matches. Loaded when it is first drawn.
 */
export function DeviceSelectWidget({
  id,
  label,
  schema,
  options,
  value,
  control,
  registry,
  disabled,
  readonly,
  onChange,
  onBlur,
}: FormWidgetProps) {
  const { lookup = 'devices', supports } = options;
  const { model } = contextOf(registry);
  const isMultiple = schema.type === 'array';
  const takesQuery = isMultiple && isDevicesField(model.module.form, keyOf(model.pathOf(id) ?? []));
  return (
    <FieldGroup control={control} hasId onLeave={() => onBlur(id, value)}>
      <Suspense fallback={<Spinner />}>
        <RecordPicker
          label={label}
          resource={getResource(lookup)}
          columns={COLUMNS}
          chosen={valuesOf(value).filter((id) => typeof id === 'number')}
          most={isMultiple ? (schema.maxItems ?? Infinity) : 1}
          isMultiple={isMultiple}
          supports={supports}
          matching={takesQuery ? matchingOf(value) : undefined}
          onChooseMatching={takesQuery ? onChange : undefined}
          disabled={disabled || readonly}
          onChange={(ids) => onChange(isMultiple ? ids : ids[0])}
        />
      </Suspense>
    </FieldGroup>
  );
}
