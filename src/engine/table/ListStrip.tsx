import { createElement, Suspense } from 'react';
import { ListStripBox } from '../../ui/index.ts';
import { findStrip } from '../resources/registry.ts';
import type { StripProps } from '../resources/registry.ts';
import type { Resource } from '../resources/resource.ts';
import type { ListState } from './list-state.ts';

export interface ListStripProps extends Pick<StripProps, 'query' | 'onFilter' | 'loadedAt'> {
  resource: Resource;
  state: ListState;
  /** The list is part of another page. */
  isPart: boolean;
}

/** The registered strip above the table, where the resource names one. */
export function ListStrip({ resource, state, isPart, ...rest }: ListStripProps) {
  const strip = findStrip(resource.table?.strip);
  if (!strip || (isPart && strip.isOfPage)) return null;
  return (
    <Suspense fallback={<ListStripBox minHeight={strip.height}>{null}</ListStripBox>}>
      <ListStripBox>{createElement(strip.Component, { resource, filters: state.filters, ...rest })}</ListStripBox>
    </Suspense>
  );
}
