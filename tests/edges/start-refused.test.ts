import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildConsole, buildServer } from '../../scripts/build.ts';
import { runStart, startServerProcess } from '../helpers/server-process.ts';

test('a start without the key of its database stops with one line that says so [OP1]', async () => {
  await using server = await startServerProcess();
  await server.stop();
  const before = server.output();
  rmSync(join(server.dataDir, 'secret.key'));
  await expect(server.start()).rejects.toThrow('the server stopped with 1');
  expect(server.output().slice(before.length).trim().split('\n')).toEqual([expect.stringMatching(/^SECRET_KEY_FILE=.* there is no key, /)]);
});

/** A place for each kind of wrong path. */
const folder = mkdtempSync(join(tmpdir(), 'canopy-refused-'));
const inside = (name: string): string => join(folder, name);
/** Takes connections and says nothing. */
const silent = createServer();

beforeAll(async () => {
  mkdirSync(inside('folder'));
  mkdirSync(inside('damaged'));
  writeFileSync(inside('damaged/canopy.db'), 'no database'.repeat(500));
  writeFileSync(inside('file'), 'abcd');
  writeFileSync(inside('empty'), '');
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve);
  });
  // Once, before many start at the same time.
  buildConsole();
  buildServer();
});

afterAll(() => {
  silent.close();
  rmSync(folder, { recursive: true });
});

const silentPort = (): string => String((silent.address() as AddressInfo).port);
const NOBODY = '127.0.0.1:1';
const UNKNOWN = 'no-such-host.invalid';
/** Of TEST-NET-3: no machine has it. */
const ELSEWHERE = '203.0.113.9';

type Wrong = [name: string, value: string | (() => string), expected: RegExp, others?: Record<string, string>];

const WRONG: Wrong[] = [
  ['PORT', 'x', /a port from 0 to 65535/],
  ['PORT', '70000', /a port from 0 to 65535/],
  ['PORT', '-1', /a port from 0 to 65535/],
  ['PORT', silentPort, /another program listens there already. Set PORT /],
  ['HOST', '999.1.1.1', /this machine has no such address/],
  ['HOST', ELSEWHERE, /this machine has no such address/],
  ['HOST', ELSEWHERE, /this machine has no such address/, { MQTT_HOST: '127.0.0.1' }],
  ['MQTT_PORT', 'x', /a port from 0 to 65535/],
  ['MQTT_PORT', silentPort, /another program listens there already. Set MQTT_PORT /],
  ['MQTT_HOST', UNKNOWN, /this machine has no such address/],
  ['MQTT_HOST', ELSEWHERE, /this machine has no such address/],
  ['MQTT_PUBLIC_HOST', 'two words', /a host name or an address/],
  ['MQTT_PUBLIC_PORT', '99999', /a port from 0 to 65535/],
  ['MQTT_URL', 'http://canopy:s3cret@broker', /mqtt:/],
  ['MQTT_URL', 'canopy:s3cret@broker', /mqtt:/],
  ['MQTT_URL', `mqtt://canopy:s3cret@${NOBODY}`, /cannot be used \(connect ECONNREFUSED/],
  ['MQTT_URL', `mqtt://canopy:s3cret@${UNKNOWN}`, /cannot be used \(getaddrinfo/],
  ['DATABASE_URL', 'postgre://canopy:s3cret@db/canopy', /postgres:/],
  ['DATABASE_URL', 'canopy s3cret@db', /an address with a scheme/],
  ['DATABASE_URL', `postgres://canopy:s3cret@${NOBODY}/canopy`, /cannot be used \(connect ECONNREFUSED/],
  ['DATABASE_URL', `postgres://${NOBODY}/canopy?user=canopy&password=s3cret`, /cannot be used \(connect ECONNREFUSED/],
  ['DATABASE_URL', `postgres://canopy:s3cret@${UNKNOWN}/canopy`, /cannot be used \(getaddrinfo/],
  ['DATABASE_URL', () => `postgres://canopy:s3cret@127.0.0.1:${silentPort()}/canopy`, /cannot be used \(timeout/],
  ['DATA_DIR', () => inside('file'), /expected a folder/],
  ['DATA_DIR', () => inside('damaged'), /file is not a database/],
  ['DATA_DIR', '/proc/no-such/data', /cannot be made/],
  ['SECRET_KEY_FILE', () => inside('folder'), /cannot be read/],
  ['SECRET_KEY_FILE', () => inside('file'), /32 bytes as base64/],
  ['SECRET_KEY_FILE', '/proc/no-such/secret.key', /cannot be made/],
  ['FORMS_DIR', () => inside('file'), /expected a folder/],
  ['FORMS_DIR', '/proc/no-such', /cannot be made/],
  ['LOCALES_DIR', () => inside('file'), /expected a folder/],
  ['LOCALES_DIR', '/proc/no-such', /cannot be made/],
  ['TRUST_PROXY', 'banana', /addresses or networks/],
  ['TRUST_PROXY', '127.0.0.1, 300.1.1.1', /addresses or networks/],
  ['TRUST_PROXY', '10.0.0.0/99', /addresses or networks/],
  ['PUBLIC_URL', 'fleet', /an address with a scheme/],
  ['PUBLIC_URL', 'ftp://fleet.example.org', /an http or https address/],
  ['DOCS_URL', 'javascript:alert(1)', /an http or https address/],
  ['SMTP_URL', 'smpt://canopy:s3cret@mail', /smtp:/],
  ['SMTP_FROM', 'nobody', /one e-mail address/],
  ['MAIL_SERVERS_PRIVATE', 'maybe', /yes or no/],
  ['REPORT_SECONDS', '0', /a whole number from 1/],
  ['FILE_QUOTA_MB', 'much', /a whole number from 1/],
  ['WEBHOOKS', '{', /expected JSON/],
  ['WEBHOOKS', '{"billing":{"url":"x","secret":"s3cret s3cret s3cret"}}', /an http or https "url"/],
  ['OIDC_ISSUER', 'http://canopy:s3cret@id.example.org', /an https address/],
  ['OIDC_CLIENT_ID', '', /a text beside OIDC_ISSUER/, { OIDC_ISSUER: 'https://id.example.org' }],
  ['OIDC_CLIENT_SECRET_FILE', () => inside('folder'), /EISDIR/, { OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'canopy' }],
  ['TERMS_FILE', '/no/such/file', /ENOENT/],
  ['TERMS_FILE', () => inside('empty'), /the file is empty/],
  ['RESOURCES', 'maybe', /on or off/],
  ['LOG_LEVEL', 'loud', /one of fatal/],
];

describe.concurrent('a wrong setting ends the start with one line that names it, and no password [OP1]', () => {
  test.each(WRONG)('%s=%s', async (name, given, expected, others = {}) => {
    const value = typeof given === 'string' ? given : given();
    const { code, output } = await runStart({ ...others, [name]: value });
    expect(output.trim().split('\n')).toEqual([expect.stringMatching(expected)]);
    expect(output).toMatch(new RegExp(`^${name}[=:]`));
    expect(output).not.toContain('s3cret');
    expect(code).toBe(1);
  });
});
