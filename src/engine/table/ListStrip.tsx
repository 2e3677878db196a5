import { createElement, Suspense } from 'react';
import styles from '../../ui/table/ListPage.module.css';
import { findStrip } from '../resources/registry.ts';
import type { StripProps } from '../resources/registry.ts';
import type { Resource } from '../resources/resource.ts';
import type { ListState } from './list-state.ts';

export interface ListStripProps extends Pick<StripProps, 'query' | 'onFilter' | 'loadedAt'> {
  resource: Resource;
  state: ListState;
}

/** The registered strip above the table, where the resource names one. */
export function ListStrip({ resource, state, ...rest }: ListStripProps) {
  const Strip = findStrip(resource.table?.strip);
  if (!Strip) return null;
  return (
    <div className={styles.strip}>
      <Suspense fallback={null}>{createElement(Strip, { resource, filters: state.filters, ...rest })}</Suspense>
    </div>
  );
}
