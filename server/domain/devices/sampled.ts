import { DAY } from '../../kernel/clock.ts';

/** The readings of a status report that are kept. A report has at least one of them. */
export const SAMPLED = [
  'signal',
  'rsrp',
  'rsrq',
  'sinr',
  'signal_2',
  'temperature',
  'sent',
  'received',
  'router_uptime',
  'mem_available_kb',
] as const;

/** How long it is kept what a company had, and what data its devices used, on a day. */
export const DAYS_KEPT_MS = 400 * DAY;
