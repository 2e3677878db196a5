import { useCustom } from '@refinedev/core';
import { useMemo } from 'react';
import type { ApiError } from '../../kernel/http/index.ts';
import { keptFor } from '../../kernel/queries.ts';
import { useCan } from '../../kernel/session/index.ts';
import { MINUTE } from '../../kernel/time/index.ts';

/** A monitoring template with its variables, as `GET /devices/data/fields` answers it. */
export interface CollectedTemplate {
  id: number;
  name: string;
  fields: { id: string; url: string; description: string; metric: string; type: string }[];
}

/** A variable of a monitoring template as a metric: `mt12_load`, "Vitals: load". */
export interface CollectedMetric {
  metric: string;
  label: string;
  isNumber: boolean;
}

export const COLLECTED_PATH = '/devices/data/fields';
export const COLLECTED_PERMISSION = 'view_monitoring';
/** What answers under `COLLECTED_PATH` depend on. */
export const COLLECTED_ABOUT = 'monitoring-templates';

const NUMBERS: ReadonlySet<string> = new Set(['number', 'integer', 'boolean']);
const NONE: readonly CollectedTemplate[] = [];
// `mt12_load`
const NAME = /^mt[1-9]\d{0,9}_[a-z0-9_]+$/;

/** Whether a metric is named as those of monitoring templates are. */
export const isCollected = (metric: string): boolean => NAME.test(metric);

/** The variables of these templates as metrics; lists and objects are none. */
export const metricsOf = (templates: readonly CollectedTemplate[]): CollectedMetric[] =>
  templates.flatMap(({ name, fields }) =>
    fields.flatMap(({ id, metric, type }) =>
      type === 'array' || type === 'object' ? [] : [{ metric, label: `${name}: ${id}`, isNumber: NUMBERS.has(type) }],
    ),
  );

/** What the monitoring templates collect that this person sees; empty until it is known, and without the permission. */
export function useCollected(isWanted = true): readonly CollectedMetric[] {
  const can = useCan();
  const { query } = useCustom<CollectedTemplate[], ApiError>({
    url: COLLECTED_PATH,
    method: 'get',
    queryOptions: { enabled: isWanted && can(COLLECTED_PERMISSION), ...keptFor(MINUTE, COLLECTED_ABOUT) },
    errorNotification: false,
  });
  const templates = query.data?.data ?? NONE;
  return useMemo(() => metricsOf(templates), [templates]);
}
