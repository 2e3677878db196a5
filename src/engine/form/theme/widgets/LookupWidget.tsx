import { Combobox } from '../../../../ui/index.ts';
import { getLookup, valuesOf } from '../../lookup.ts';
import { useLookup } from '../../use-lookup.ts';
import { useLookupParams } from '../use-lookup-params.ts';
import { baseOf } from '../widget-base.ts';
import { useComboboxLabels } from './combobox-labels.ts';
import type { FormWidgetProps } from '../widgets.ts';

/** Choosing records of the server: searching, paged; one or several. */
export function LookupWidget(props: FormWidgetProps) {
  const { label, schema, options, value, placeholder, control, registry, onChange } = props;
  const labels = useComboboxLabels(placeholder);
  const name = String(options['lookup'] ?? '');
  const isMultiple = options['multiple'] === true || schema.type === 'array';
  const params = useLookupParams(registry, getLookup(name), options['params']);
  const lookup = useLookup(name, params, valuesOf(value));
  return (
    <Combobox
      {...baseOf(props)}
      label={label}
      labels={labels}
      selected={lookup.selected}
      isMultiple={isMultiple}
      isClearable={!control['aria-required']}
      query={lookup.query}
      source={lookup.source}
      onQuery={lookup.setQuery}
      onOpen={lookup.open}
      onSelect={(selected) => {
        lookup.remember(selected);
        onChange(isMultiple ? selected.map((option) => option.value) : selected[0]?.value);
      }}
    />
  );
}
