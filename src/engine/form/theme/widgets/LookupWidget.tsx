import type { LookupEntry } from '../../../../../schemas/kit/form/types.ts';
import { can } from '../../../../kernel/session/index.ts';
import { Combobox, type ComboboxOption } from '../../../../ui/index.ts';
import { getLookup, optionOf, valuesOf, lookupParams } from '../../lookup.ts';
import { useLookup } from '../../use-lookup.ts';
import { baseOf } from '../widget-base.ts';
import { useComboboxLabels } from './combobox-labels.ts';
import type { FormWidgetProps } from '../widgets.ts';
import type { Registry } from '@rjsf/utils';
import { contextOf } from '../form-registry-context.ts';
import { useSyncExternalStore, useMemo } from 'react';

/** Choosing records of the server: searching, paged; one or several. */
export function LookupWidget(props: FormWidgetProps) {
  const { label, schema, options, value, placeholder, control, registry, onChange } = props;
  const labels = useComboboxLabels(placeholder);
  const name = String(options['lookup'] ?? '');
  const isMultiple = options['multiple'] === true || schema.type === 'array';
  const entry = getLookup(name);
  const params = useLookupParams(registry, entry, options['params']);
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
      {...(entry.create && can(entry.create.permission) ? { onCreate: (text: string) => create(entry, text) } : {})}
      onSelect={(selected) => {
        lookup.remember(selected);
        onChange(isMultiple ? selected.map((option) => option.value) : selected[0]?.value);
      }}
    />
  );
}

/** Opens the form of a new record, which starts with what was searched for; answers the record as a choice. */
async function create(entry: LookupEntry, text: string): Promise<ComboboxOption | undefined> {
  if (!entry.create) return undefined;
  // Forms hold widgets, and widgets open forms: the circle is closed when one is opened.
  const { openForm } = await import('../../open-form.ts');
  const result = await openForm<Record<string, unknown>>(entry.create.form, { initial: { [entry.create.field]: text } });
  return result && optionOf(entry, result.data);
}

/** The filled query parameters of a lookup; renders again only when one of the fields they name changes. */
function useLookupParams(registry: Registry, entry: LookupEntry, params: Record<string, string> | undefined): Record<string, string> {
  const { model } = contextOf(registry);
  const read = () => lookupParams(entry, params, model.data());
  const key = useSyncExternalStore(model.subscribe, () => JSON.stringify(read()));
  // The values are compared by their text.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  return useMemo(read, [key]);
}
