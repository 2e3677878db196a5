import { RangeField } from '../../../../ui/index.ts';
import { formatPlain } from '../../format-plain.ts';
import { baseOf } from '../widget-base.ts';
import type { FormWidgetProps } from '../widgets.ts';

/** A number between two bounds, by a slider. */
export function RangeWidget(props: FormWidgetProps) {
  const { schema, value, onChange } = props;
  const { minimum: min = 0, maximum: max = 100, multipleOf: step = 1 } = schema;
  return (
    <RangeField
      {...baseOf(props)}
      value={typeof value === 'number' ? value : undefined}
      min={min}
      max={max}
      step={step}
      format={formatPlain}
      onChange={onChange}
    />
  );
}
