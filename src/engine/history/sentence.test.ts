// @vitest-environment jsdom
import { beforeAll, describe, expect, test } from 'vitest';
import type { Change } from '../../../schemas/_generated/contract.ts';
import errorsFile from '../../../schemas/errors.json' with { type: 'json' };
import type { ErrorsFile } from '../../../schemas/kit/form/types.ts';
import { hasText, startI18n, translate, type Language } from '../../kernel/i18n/index.ts';
import { changeSentence } from './sentence.ts';

// Codes that only ask for something more, which is no denied attempt.
const ASKS = new Set(['MFA_REQUIRED', 'MFA_MANDATORY', 'EMAIL_NOT_VERIFIED', 'TERMS_NOT_ACCEPTED', 'CONFIRMATION_FAILED']);

const { errors } = errorsFile as ErrorsFile;
const change: Change = {
  id: 1,
  created_at: '2026-01-01 10:00:00',
  action: 'devices.move',
  entity: 'device',
  entity_id: null,
  entity_name: 'Quay 1',
  count: 12,
  names: [],
  from_name: 'Harbour',
  to_name: 'Pier',
  user_id: 1,
  user_name: 'Kari',
  on_behalf_of_name: null,
  company_id: null,
  company_name: null,
  before: null,
  after: null,
  via: 'console',
  ip: '',
  token_name: null,
  form: null,
  request_id: 'r',
  undone_count: 0,
  is_undoable: true,
  labels: {},
};
const say = (part: Partial<Change>) => changeSentence(translate, { ...change, ...part });

describe('a change as a sentence', () => {
  beforeAll(() => startI18n('en'));

  test('counts what moved, and says from where to where as far as that is known', () => {
    expect(say({})).toBe('12 devices moved from Harbour to Pier');
    expect(say({ from_name: null })).toBe('12 devices moved to Pier');
    expect(say({ from_name: null, to_name: null })).toBe('12 devices moved');
    expect(say({ count: 1 })).toBe('Quay 1 moved from Harbour to Pier');
  });

  test('says both names of a rename, and what was done to anything else', () => {
    expect(say({ action: 'companies.edit', count: 1, before: { name: 'A' }, after: { name: 'B' } })).toBe('A renamed to B');
    expect(say({ action: 'tags.new', count: 1, entity_name: 'ferry' })).toBe('Tag created: ferry');
    expect(say({ action: 'suppressed-emails.remove', count: 3 })).toBe('Address removed from the suppression list: 3 records');
    expect(say({ action: 'account.logout', count: 1, entity_name: '' })).toBe('Signed out');
  });

  test('says of a job what it does', () => {
    expect(say({ entity: 'job', count: 1, entity_name: 'move' })).toBe('Job started: Move to company');
    expect(say({ entity: 'job', action: 'jobs.finish', count: 1, entity_name: 'move' })).toBe('Job finished: Move to company');
    const job = { entity: 'job', count: 1, entity_name: 'run' } as const;
    const input = { command: 'uptime' };
    expect(say({ ...job, after: { input, total: 2 } })).toBe('uptime started on 2 devices');
    const counts = { ok: 1, failed: 1, 'timed-out': 1 };
    expect(say({ ...job, action: 'jobs.finish', after: { input, total: 3, counts } })).toBe('uptime finished on 3 devices, 2 failed');
    expect(say({ ...job, action: 'jobs.finish', after: { input, total: 1, counts: { ok: 1 } } })).toBe('uptime finished on 1 device');
  });

  test('says why an attempt was denied, with the rights that were missing [OP2]', () => {
    const denied = (after: Change['after']) => say({ action: 'account.denied', entity: 'user', count: 1, entity_name: 'Kari', after });
    const call = 'POST /api/tags';
    expect(denied({ call, reason: 'FORBIDDEN', missing: ['create_tags'] })).toBe(
      'Attempt denied: Missing permission: Create tags. (POST /api/tags)',
    );
    expect(denied({ call, reason: 'FORBIDDEN', missing: ['create_tags', 'update_tags'] })).toContain('Create tags, Edit tags');
    expect(denied({ call, reason: 'FORBIDDEN' })).toContain('The permissions of the user do not allow it.');
    expect(denied({ call, reason: 'SCOPE_NOT_HELD', scope: 'create_tags' })).toContain('“Create tags”');
    expect(denied({ call, reason: 'SCOPE_NOT_HELD', scope: 'tags:write' })).toContain('“tags:write”');
    expect(denied(null)).toBe('Attempt denied: Kari');
  });

  test('has a sentence for every reason for which an attempt can be denied [OP2]', () => {
    const codes = Object.entries(errors)
      .filter(([code, { status }]) => status === 403 && !ASKS.has(code))
      .map(([code]) => code);
    expect(codes.length).toBeGreaterThan(15);
    expect(codes.filter((code) => !hasText(`history.denied.${code}`))).toEqual([]);
  });

  test.each<[Language, string]>([
    ['nb', '2 enheter flyttet fra Harbour til Pier'],
    ['ja', 'デバイス 2 台を Harbour から Pier に移動'],
    ['uk', '2 пристрої переміщено з Harbour до Pier'],
  ])('follows the plural rules of %s [I1]', async (language, text) => {
    await startI18n(language);
    expect(say({ count: 2 })).toBe(text);
    await startI18n('en');
  });
});
