import type { ReactNode } from 'react';
import { useLookup } from '../form/use-lookup.ts';
import type { FilterValue } from '../resources/registry.ts';

export interface LookupWordsProps {
  lookup: string;
  values: readonly FilterValue[];
  children: (words: string[]) => ReactNode;
}

const NO_PARAMS: Record<string, string> = {};

/** The names of records that a filter holds by their ids. */
export default function LookupWords({ lookup, values, children }: LookupWordsProps) {
  const { selected } = useLookup(lookup, NO_PARAMS, plainValues(values));
  return children(selected.map((option) => option.label));
}

function plainValues(values: readonly FilterValue[]): (string | number)[] {
  return values.filter((value) => typeof value !== 'boolean');
}
