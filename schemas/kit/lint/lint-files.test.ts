import { describe, expect, test } from 'vitest';
import { EXAMPLE_FORM, EXAMPLE_PATH, exampleOptions } from './lint-example.ts';
import { lintFiles } from './lint.ts';

describe('the limits of a form file', () => {
  const fields = (count: number): string => {
    const properties = Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, { type: 'boolean' }]));
    return JSON.stringify({
      ...JSON.parse(EXAMPLE_FORM),
      schema: { type: 'object', additionalProperties: false, properties },
      fields: {},
      ui: {},
      order: [],
      examples: [{}],
      submit: { method: 'POST', path: '/x', success: {} },
    });
  };
  const codes = (text: string): string[] => [
    ...new Set(lintFiles([{ path: EXAMPLE_PATH, text }], { ...exampleOptions, texts: undefined }).map(({ code }) => code)),
  ];

  test('300 fields pass, 301 do not', () => {
    expect(codes(fields(300))).toEqual([]);
    expect(codes(fields(301))).toEqual(['too-many-fields']);
  });

  test('256 KB pass, more do not', () => {
    const pad = (bytes: number): string => EXAMPLE_FORM + ' '.repeat(bytes - EXAMPLE_FORM.length);
    expect(codes(pad(256 * 1024))).toEqual([]);
    expect(codes(pad(256 * 1024 + 1))).toEqual(['too-large']);
  });

  test('twelve levels pass, more do not, and a million brackets are no danger', () => {
    const nested = (levels: number): string =>
      EXAMPLE_FORM.replace('"default": "plain"', `"default": ${'['.repeat(levels)}${']'.repeat(levels)}`);
    // The file, `schema`, `properties` and the field are four levels.
    expect(codes(nested(8))).not.toContain('too-deep');
    expect(codes(nested(9))).toContain('too-deep');
    expect(codes('['.repeat(200_000))).toEqual(['too-deep']);
  });
});

describe('the linter on the other files', () => {
  const read = (path: string, value: unknown): string[] =>
    lintFiles([{ path, text: JSON.stringify(value) }], { ...exampleOptions, texts: undefined }).map(
      ({ code, message }) => `${code} ${message}`,
    );

  test('an entity is named like its file', () => {
    const entity = { $schema: 'x', id: 'job_targets', title: 'x', schema: { type: 'object', properties: { id: { type: 'integer' } } } };
    expect(read('entities/job-target.json', entity)).toEqual([
      'wrong-id The id must be "job_target", like the name of the file with low lines.',
    ]);
  });

  test('an event goes to a channel that exists and carries an entity that exists', () => {
    const channels = { 'companies.{company_id}.devices': { permission: 'create_tag', description: 'x' } };
    const events = { DeviceChanged: { channel: 'companies.{company_id}.device', description: 'x', payload: { entity: 'devise' } } };
    const entity = { $schema: 'x', id: 'device', title: 'x', schema: { type: 'object', properties: {} } };
    const files = [
      { path: 'events.json', text: JSON.stringify({ $schema: 'x', channels, events }) },
      { path: 'entities/device.json', text: JSON.stringify(entity) },
    ];
    expect(lintFiles(files, { ...exampleOptions, texts: undefined }).map(({ message }) => message)).toEqual([
      'No permission named "create_tag". Did you mean "create_tags"?',
      'No channel named "companies.{company_id}.device". Did you mean "companies.{company_id}.devices"?',
      'No entity named "devise". Did you mean "device"?',
    ]);
  });

  test('permissions are listed once and name roles that exist', () => {
    const permission = { name: 'view_tags', category: 'Tags', title: 'x', description: 'x', roles: ['admin'] };
    const role = { id: 2, key: 'admin', title: 'x', description: 'x', scope: 'tree' };
    const file = (permissions: object[]): object => ({ $schema: 'x', roles: [role], permissions });
    expect(read('permissions.json', file([permission, permission]))).toEqual(['repeated The permission "view_tags" is listed twice.']);
    expect(read('permissions.json', file([{ ...permission, roles: ['admn'] }]))[0]).toMatch(/Did you mean "admin"\?$/);
  });

  test('an error code is upper case with a status of an error', () => {
    const entry = { status: 200, audience: 'user', message: 'x' };
    expect(read('errors.json', { $schema: 'x', errors: { notFound: entry } }).map((line) => line.split(' ')[0])).toEqual([
      'bad-name',
      'wrong-value',
    ]);
  });
});
