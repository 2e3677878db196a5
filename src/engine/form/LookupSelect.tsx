import { useId } from 'react';
import { Combobox, type ControlAttributes } from '../../ui/index.ts';
import { useComboboxLabels } from './theme/widgets/combobox-labels.ts';
import { useLookup } from './use-lookup.ts';

const NO_PARAMS: Record<string, string> = {};
const NONE: number[] = [];
const NO_FAULT = { 'aria-invalid': undefined, 'aria-describedby': undefined, 'aria-required': undefined } as const;

interface LookupSelectProps extends Partial<ControlAttributes> {
  lookup: 'companies' | 'devices' | 'sites' | 'tags' | 'vpn-clients';
  /** Filters of the lookup's list; the same object at each drawing. */
  params?: Record<string, string>;
  label: string;
  /** What is shown while nothing is chosen. */
  placeholder: string;
  value: number | undefined;
  /** One is always chosen. */
  isRequired?: true;
  onChange(id: number | undefined): void;
}

/** One record of a lookup, or none, outside a form. */
export function LookupSelect({
  lookup: name,
  params = NO_PARAMS,
  label,
  placeholder,
  value,
  isRequired,
  onChange,
  ...control
}: LookupSelectProps) {
  const ownId = useId();
  const labels = useComboboxLabels(placeholder);
  const lookup = useLookup(name, params, value === undefined ? NONE : [value]);
  return (
    <Combobox
      id={ownId}
      {...NO_FAULT}
      {...control}
      label={label}
      labels={labels}
      selected={lookup.selected}
      isClearable={isRequired !== true}
      query={lookup.query}
      source={lookup.source}
      onQuery={lookup.setQuery}
      onOpen={lookup.open}
      onSelect={(selected) => {
        lookup.remember(selected);
        const [chosen] = selected;
        onChange(chosen === undefined ? undefined : Number(chosen.value));
      }}
    />
  );
}
