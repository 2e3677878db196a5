import { useT } from '../../kernel/i18n/index.ts';
import { Button, ChoiceCheckbox, ChoiceDetail, ChoiceList, PanelNote, Spinner, TextInput } from '../../ui/index.ts';
import type { FilterEntry } from '../../../schemas/kit/resources/resource-types.ts';
import { useEffect } from 'react';
import { useLookup } from '../form/use-lookup.ts';
import type { Resource } from '../resources/resource.ts';
import { fieldLabel } from './labels.ts';
import type { FilterValue } from '../resources/registry.ts';

export interface LookupFilterProps {
  resource: Resource;
  entry: Extract<FilterEntry, { kind: 'lookup' }>;
  values: readonly FilterValue[];
  onChange: (values: FilterValue[]) => void;
}

const NO_PARAMS: Record<string, string> = {};

/** Chooses records out of a searched list; what is chosen stays on top whatever is searched for. */
export function LookupFilter({ resource, entry, values, onChange }: LookupFilterProps) {
  const t = useT();
  const lookup = useLookup(
    entry.lookup,
    NO_PARAMS,
    values.filter((value) => typeof value !== 'boolean'),
  );
  const { source, selected } = lookup;
  const { open } = lookup;
  // Once, when the editor opens: the list is asked for.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => open(), []);
  const options = [...selected, ...source.options.filter((option) => !selected.some((chosen) => chosen.value === option.value))];
  const choose = (value: string | number, isOn: boolean) => {
    if (!isOn) onChange(values.filter((other) => other !== value));
    else onChange(entry.multiple ? [...values, value] : [value]);
  };
  return (
    <>
      <TextInput
        type="search"
        icon="search"
        aria-label={t('table.searchIn', { name: fieldLabel(resource, entry.key) })}
        placeholder={t('table.search')}
        value={lookup.query}
        onChange={(event) => lookup.setQuery(event.target.value)}
      />
      <ChoiceList>
        {options.map((option) => (
          <ChoiceCheckbox
            key={option.value}
            checked={values.includes(option.value)}
            onChange={(event) => choose(option.value, event.target.checked)}
          >
            {option.label}
            {option.detail ? <ChoiceDetail>{option.detail}</ChoiceDetail> : null}
          </ChoiceCheckbox>
        ))}
        {source.state === 'loading' ? <Spinner /> : null}
        {source.state === 'error' ? (
          <p role="alert">
            {t('table.lookupFailed')}{' '}
            <Button variant="link" onClick={source.retry}>
              {t('common.tryAgain')}
            </Button>
          </p>
        ) : null}
        {source.state === 'ready' && options.length === 0 ? <PanelNote>{t('table.nothingFound')}</PanelNote> : null}
        {source.state === 'ready' && source.hasMore ? (
          <Button variant="link" onClick={source.loadMore}>
            {t('table.more')}
          </Button>
        ) : null}
      </ChoiceList>
    </>
  );
}
