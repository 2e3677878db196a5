import { useMemo, useState } from 'react';
import { useLanguage, useT, useText } from '../../kernel/i18n/index.ts';
import { Combobox } from '../../ui/fields/Combobox.tsx';
import { useChoices } from './choices.ts';
import { useLookupParams } from './form-context.ts';
import { getLookup, valuesOf } from './lookup.ts';
import { useLookup } from './use-lookup.ts';
import type { ComboboxLabels, ComboboxOption } from '../../ui/fields/Combobox.tsx';
import type { FieldKindProps } from './kinds.ts';

/** Choosing records of the server: searching, paged; one or several. */
export function LookupKind({ label, property, ui, value, control, onChange, onBlur }: FieldKindProps) {
  const labels = useComboboxLabels(ui);
  const options = ui['ui:options'] ?? {};
  const name = options.lookup ?? '';
  const isMultiple = options.multiple ?? property.type === 'array';
  const params = useLookupParams(getLookup(name), options.params);
  const lookup = useLookup(name, params, valuesOf(value));
  return (
    <Combobox
      {...control}
      label={label}
      labels={labels}
      selected={lookup.selected}
      isMultiple={isMultiple}
      isClearable={!control['aria-required']}
      query={lookup.query}
      source={lookup.source}
      hasAutofocus={ui['ui:autofocus']}
      disabled={ui['ui:disabled']}
      onQuery={lookup.setQuery}
      onOpen={lookup.open}
      onSelect={(selected) => {
        lookup.remember(selected);
        onChange(isMultiple ? selected.map((option) => option.value) : selected[0]?.value);
      }}
      onBlur={onBlur}
    />
  );
}

/** Several of a fixed list. */
export function MultiSelectKind({ label, property, ui, value, control, onChange, onBlur }: FieldKindProps) {
  const labels = useComboboxLabels(ui);
  const language = useLanguage();
  const [query, setQuery] = useState('');
  const choices = useChoices(property.items ?? {}, ui);
  const all = useMemo(
    () => choices.flatMap((choice): ComboboxOption[] => valuesOf(choice.value).map((option) => ({ value: option, label: choice.label }))),
    [choices],
  );
  const values = valuesOf(value);
  const wanted = query.trim().toLocaleLowerCase(language);
  return (
    <Combobox
      {...control}
      label={label}
      labels={labels}
      selected={values.map((chosen) => all.find((option) => option.value === chosen) ?? { value: chosen, label: String(chosen) })}
      isMultiple
      query={query}
      source={{
        options: all.filter((option) => option.label.toLocaleLowerCase(language).includes(wanted)),
        state: 'ready',
        hasMore: false,
        loadMore: ignore,
        retry: ignore,
      }}
      hasAutofocus={ui['ui:autofocus']}
      disabled={ui['ui:disabled']}
      onQuery={setQuery}
      onSelect={(selected) => onChange(selected.map((option) => option.value))}
      onBlur={onBlur}
    />
  );
}

function ignore(): void {
  // A fixed list has no further page and nothing that fails.
}

function useComboboxLabels(ui: FieldKindProps['ui']): ComboboxLabels {
  const t = useT();
  const text = useText();
  const placeholder = text(ui['ui:placeholder']);
  return useMemo(
    () => ({
      placeholder: placeholder || t('form.list.placeholder'),
      clear: t('form.list.clear'),
      remove: (label: string) => t('form.list.remove', { label }),
      loading: t('form.list.loading'),
      empty: t('form.list.empty'),
      failed: t('form.list.failed'),
      retry: t('form.list.retry'),
      more: t('form.list.more'),
      count: (count: number) => t('form.list.count', { count }),
    }),
    [placeholder, t],
  );
}
