import { useMemo, useSyncExternalStore } from 'react';
import type { Registry } from '@rjsf/utils';
import { lookupParams } from '../lookup.ts';
import { contextOf } from './form-registry-context.ts';
import type { LookupEntry } from '../../../../schemas/kit/form/types.ts';

/** The filled query parameters of a lookup; renders again only when one of the fields they name changes. */
export function useLookupParams(
  registry: Registry,
  entry: LookupEntry,
  params: Record<string, string> | undefined,
): Record<string, string> {
  const { model } = contextOf(registry);
  const read = () => lookupParams(entry, params, model.data());
  const key = useSyncExternalStore(model.subscribe, () => JSON.stringify(read()));
  // The key stands for the values that were read.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  return useMemo(read, [key]);
}
