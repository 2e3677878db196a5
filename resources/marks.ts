/** How the states of a job's devices are marked in lists. */
export const STATES_OF_TARGETS = {
  ok: 'good',
  failed: 'bad',
  'timed-out': 'bad',
  refused: 'bad',
  sent: 'warn',
  running: 'warn',
} as const;

/** How long ago a device reported last. */
export const REPORT_AGES = [
  'less_than_5_minutes_ago',
  'more_than_5_minutes_ago',
  'more_than_1_hour_ago',
  'more_than_1_week_ago',
  'never_been_updated',
];
