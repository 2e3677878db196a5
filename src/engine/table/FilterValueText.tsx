import { lazy, Suspense } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import type { FilterEntry } from '../../../schemas/kit/resources/resource-types.ts';
import type { Resource } from '../resources/resource.ts';
import { joinOr, valueLabel } from './labels.ts';
import type { ListFilter } from '../resources/registry.ts';

// Names of chosen records have to be asked for; a list without such a filter does not carry the code for it.
const LookupWords = lazy(() => import('./LookupWords.tsx'));

export interface FilterValueTextProps {
  resource: Resource;
  entry: FilterEntry;
  filter: ListFilter;
}

/** A filter's value in words: "any", "Online or Pending", "is not 07.14.2". */
export function FilterValueText({ resource, entry, filter }: FilterValueTextProps) {
  const t = useT();
  if (filter.values.length === 0) return t('table.any');
  if (entry.kind === 'lookup') {
    const plain = sense(filter.values.map(String).join(', '), filter.negated, t);
    return (
      <Suspense fallback={plain}>
        <LookupWords lookup={entry.lookup} values={filter.values}>
          {(words) => sense(joinOr(words), filter.negated, t)}
        </LookupWords>
      </Suspense>
    );
  }
  const words = filter.values.map((value) =>
    entry.kind === 'boolean'
      ? t(value === true ? 'table.yes' : 'table.no')
      : entry.kind === 'text' || entry.kind === 'date'
        ? String(value)
        : valueLabel(resource, filter.key, value),
  );
  return sense(joinOr(words), filter.negated, t);
}

function sense(words: string, negated: boolean, t: ReturnType<typeof useT>): string {
  return negated ? t('table.isNot', { value: words }) : words;
}
