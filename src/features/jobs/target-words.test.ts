import { beforeAll, describe, expect, test } from 'vitest';
import { startI18n } from '../../kernel/i18n/index.ts';
import english from '../../locales/en/jobs.json';
import { stepWords, targetWords } from './target-words.ts';
import type { JobTarget } from './job-api.ts';

beforeAll(() => startI18n('en'));

const NOW = Date.parse('2026-11-21T12:00:00Z');
const target: JobTarget = {
  id: 1,
  job_id: 1,
  device_id: 1,
  device_name: 'Quay',
  company_id: 1,
  company_name: 'Fjordline',
  state: 'queued',
  reason: null,
  message: null,
  code: null,
  output: null,
  truncated: false,
  step: 1,
  steps: 1,
  step_name: null,
  file_id: null,
  wave: null,
  due_at: null,
  started_at: '2026-11-21 11:55:00',
  finished_at: null,
};
const words = (rest: Partial<JobTarget>, context: { kind?: string; lastSeen?: number; isPast?: boolean } = {}) =>
  targetWords({ ...target, ...rest }, { kind: 'run', now: NOW, ...context });

describe('what happened at a device, in words [B3]', () => {
  test('an offline one says since when, and that it is skipped', () => {
    expect(words({ state: 'skipped', reason: 'OFFLINE' }, { lastSeen: NOW - 2 * 3600_000 })).toBe('Offline since 2 h: skipped');
    expect(words({ state: 'skipped', reason: 'OFFLINE' })).toBe('Offline: skipped');
    expect(words({ state: 'skipped', reason: 'OFFLINE' }, { isPast: true, lastSeen: NOW })).toBe('Was offline: skipped');
  });
  test('the short answers of the agent become sentences', () => {
    expect(words({ state: 'ok', message: 'Online again after 71 s', code: 0 }, { kind: 'reboot' })).toBe('Online again after 71 s');
    expect(words({ state: 'failed', message: 'exit code 127', code: 127 })).toBe('Ended with exit code 127');
    expect(words({ state: 'failed', message: 'timed out', code: 124 })).toBe('Timed out on the device');
  });
  test('a message of the device itself is shown as it came', () => {
    expect(words({ state: 'failed', message: "can't fork: Out of memory" })).toBe("can't fork: Out of memory");
  });
  test('one that is under way says how long', () => {
    expect(words({ state: 'running' }, { kind: 'reboot' })).toBe('Sent, waiting for the device to come back · 5 min');
  });
  test('one that did not answer says within what time', () => {
    expect(words({ state: 'timed-out', finished_at: '2026-11-21 12:00:00' })).toBe('No answer within 5 min');
  });
  test('each reason of the preview is a sentence at the device', () => {
    const reasons = Object.keys(english).flatMap((key) => (key.startsWith('jobs.why.') ? [key.slice('jobs.why.'.length)] : []));
    expect(reasons).toContain('NO_FILE');
    expect(reasons.filter((reason) => words({ state: 'skipped', reason }) === reason)).toEqual([]);
  });
  test('a reason from a later server is shown rather than nothing', () => {
    expect(words({ state: 'skipped', reason: 'LOW_BATTERY' })).toBe('LOW_BATTERY');
  });
});

describe('work of several steps', () => {
  test('says which step the device is at', () => {
    expect(words({ state: 'running', step: 2, steps: 4, step_name: 'check', started_at: null })).toBe('Step 2 of 4: Check the device');
  });

  test('a step that people named keeps its name', () => {
    expect(words({ state: 'sent', step: 1, steps: 2, step_name: 'Set the clock', started_at: null })).toBe('Step 1 of 2: Set the clock');
  });

  test('a finished step says how it ended', () => {
    expect(stepWords({ state: 'failed', message: 'exit code 3', code: 3 })).toBe('Ended with exit code 3');
    expect(stepWords({ state: 'timed-out', message: null, code: null })).toBe('No answer');
    expect(stepWords({ state: 'ok', message: null, code: 0 })).toBe('Done');
  });
});
