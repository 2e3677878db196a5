/** How the states of a job's devices are marked in lists. */
export const STATES_OF_TARGETS = {
  ok: 'good',
  failed: 'bad',
  'timed-out': 'bad',
  refused: 'bad',
  sent: 'warn',
  running: 'warn',
} as const;
