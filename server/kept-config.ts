const DAY_MS = 24 * 60 * 60 * 1000;

const SETTINGS = {
  events: 'KEEP_EVENTS_DAYS',
  jobs: 'KEEP_JOBS_DAYS',
  logs: 'KEEP_LOGS_DAYS',
  alerts: 'KEEP_ALERTS_DAYS',
  remote: 'KEEP_REMOTE_SESSIONS_DAYS',
  reports: 'KEEP_REPORTS_DAYS',
} as const;

type KeptSetting = (typeof SETTINGS)[keyof typeof SETTINGS];

/** For how many milliseconds rows are kept, by what they are. */
export type KeptMs = Record<keyof typeof SETTINGS, number>;

/** Reads how long rows are kept from the settings. */
export function readKept(text: (name: KeptSetting) => string): KeptMs {
  const ms = (name: keyof typeof SETTINGS): number => Number(text(SETTINGS[name])) * DAY_MS;
  return { events: ms('events'), jobs: ms('jobs'), logs: ms('logs'), alerts: ms('alerts'), remote: ms('remote'), reports: ms('reports') };
}
