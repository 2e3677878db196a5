import { api } from '../../kernel/http/index.ts';
import { MINUTE } from '../../kernel/time/index.ts';
import { readTogether } from './batched-reads.ts';

/** The last 24 hours of a device by the hour; null where nothing is known. */
export interface Trend {
  id: number;
  signal: (number | null)[];
  online: (number | null)[];
}

const useTrendOf = readTogether<Trend>({
  most: 100,
  freshMs: 5 * MINUTE,
  async read(ids) {
    const { data } = await api.get<Trend[]>('/devices/trends', { query: { id: ids.join(',') } });
    return new Map(data.map((trend) => [String(trend.id), trend]));
  },
});

/** The trend of a device; undefined until it is there. */
export const useTrend = (id: number): Trend | undefined => useTrendOf(String(id));

/** What a device answered last for a variable of a monitoring template. */
export interface CollectedValue {
  id: number;
  metric: string;
  value: number | string;
  created_at: string;
}

const useValueOf = readTogether<CollectedValue>({
  most: 200,
  freshMs: MINUTE,
  async read(keys) {
    const pairs = keys.map((key) => key.split(' '));
    const query = {
      id: [...new Set(pairs.map(([id]) => id))].join(','),
      metrics: [...new Set(pairs.map(([, metric]) => metric))].join(','),
    };
    const { data } = await api.get<CollectedValue[]>('/devices/collected', { query });
    return new Map(data.map((one) => [`${one.id} ${one.metric}`, one]));
  },
});

/** What a device answered last for a variable; undefined until it is there, and where it never did. */
export const useCollectedValue = (id: number, metric: string): CollectedValue | undefined => useValueOf(`${id} ${metric}`);
