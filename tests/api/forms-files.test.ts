import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WrittenForm } from '../../schemas/kit/form/complete-form.ts';
import { as, send, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { apnForm, textOf } from '../helpers/forms.ts';
import { sendParts as post } from '../helpers/multipart.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { makeWorld, type World } from '../helpers/world.ts';

type Part = [name: string, text: string] | [name: string, file: { name: string; content: string | Buffer }];

const sendParts = (world: World, caller: Caller, path: string, parts: Part[]) =>
  post(
    world,
    caller,
    path,
    parts.map(([name, value]) => (typeof value === 'string' ? { name, text: value } : { name, text: value.content, fileName: value.name })),
  );

const uploadsLeft = (world: World): string[] => readdirSync(join(world.ctx.config.dataDir, 'uploads'));

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['place'],
  properties: {
    place: {
      type: 'object',
      additionalProperties: false,
      required: ['key'],
      properties: {
        key: { type: 'string', format: 'file-name' },
        password: { type: 'string', minLength: 1, maxLength: 50 },
      },
    },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    logs: { type: 'array', maxItems: 2, items: { type: 'string', format: 'file-name' } },
  },
} as const;
const ui: WrittenForm['ui'] = {
  place: { 'ui:label': { en: 'Place' } },
  'place.key': { 'ui:label': { en: 'Key' }, 'ui:widget': 'file', 'ui:options': { accept: '.pub,.txt', maxBytes: 2048 } },
  'place.password': { 'ui:label': { en: 'Password' }, 'ui:widget': 'password' },
  count: { 'ui:label': { en: 'Count' } },
  logs: { 'ui:label': { en: 'Logs' }, 'ui:widget': 'file', 'ui:options': { maxBytes: 2048 } },
};
const { place: _nowhere, ...base } = apnForm({ schema: structuredClone(schema) as unknown as WrittenForm['schema'], fields: {}, ui });
const examples = [{ place: { key: 'id.pub' }, count: 2 }];

async function start(form: WrittenForm, url = 'http://127.0.0.1:9/') {
  const webhooks = new Map([['tickets', { url, secret: 'a secret of twenty characters', allowPrivate: true }]]);
  const world = await makeWorld({ config: { webhooks } });
  const company = await makeCompany(world);
  const admin = await as(world, 'super_admin', { company });
  expect((await admin.put(`/forms/${form.id}`, { text: textOf(form) })).errors).toEqual([]);
  return { world, company, admin };
}

const key = { name: 'id.pub', content: "ssh-ed25519 AAAA o'brien\n" };
const KEYS = '/forms/ops/keys/run';

describe('a form with files, made without code [F9]', () => {
  const jobForm: WrittenForm = {
    ...base,
    id: 'ops/keys',
    submit: {
      job: { steps: [['sh', '-c', 'printf %s "$1" > /etc/key; passwd "$2"', 'sh', '{place.key}', '{place.password}']] },
      encoding: 'multipart',
      success: { then: 'job' },
    },
    examples,
  };

  test('gives the text of a file to a command as one quoted argument, and keeps a password in a group sealed', async () => {
    const { world, company, admin } = await start(jobForm);
    await using _end = world;
    const device = await makeDevice(world, { company });
    const parts: Part[] = [
      ['place[key]', key],
      ['place[password]', 'hunter2'],
      ['device_id[0]', String(device.id)],
    ];
    const preview = await sendParts(world, admin, KEYS, [...parts, ['dry_run', 'true']]);
    expect(preview.data).toMatchObject({ will_run: 1 });
    expect(preview.data.command).toContain(`'ssh-ed25519 AAAA o'\\''brien\n' '***'`);
    const { status, meta } = await sendParts(world, admin, KEYS, parts);
    await world.ctx.jobs.settled();
    expect(status).toBe(200);
    expect(world.commands.map(({ command }) => command.body)).toEqual([
      expect.stringContaining(`'ssh-ed25519 AAAA o'\\''brien\n' 'hunter2'`),
    ]);
    const kept = [(await admin.get(`/jobs/${meta['job_id']}`)).data, await world.ctx.db.selectFrom('audit').selectAll().execute()];
    expect(JSON.stringify(kept)).not.toContain('hunter2');
    expect(uploadsLeft(world)).toEqual([]);
  });

  test('refuses at its field a file that is too large, of another kind, no text, or not there', async () => {
    const { world, company, admin } = await start(jobForm);
    await using _end = world;
    const device = await makeDevice(world, { company });
    const refused = async (value: Part[1]) => {
      const { errors } = await sendParts(world, admin, KEYS, [
        ['place[key]', value],
        ['device_id[0]', String(device.id)],
      ] as Part[]);
      return errors.map(({ source, params }) => `${source} ${String(params?.['key'])}`);
    };
    expect(await refused({ name: 'id.pub', content: 'x'.repeat(2049) })).toEqual(['place.key validation.file.size']);
    expect(await refused({ name: 'id.exe', content: 'x' })).toEqual(['place.key validation.file.type']);
    expect(await refused({ name: 'id.pub', content: Buffer.from([0xff, 0xfe, 0x41]) })).toEqual(['place.key validation.file.text']);
    expect(await refused('file-of-somebody-else')).toEqual(['place.key validation.file.gone']);
    const asJson = await send(world, 'POST', KEYS, {
      headers: admin.headers,
      body: { place: { key: 'file-x' }, device_id: [device.id] },
    });
    expect(asJson.errors).toMatchObject([{ source: 'place.key', params: { key: 'validation.file.gone' } }]);
    expect(world.commands).toEqual([]);
    expect(uploadsLeft(world)).toEqual([]);
  });

  test('hands files to a webhook with name, size, hash and content; the history has no content', async () => {
    await using receiver = await startReceiver([]);
    const hook: WrittenForm = {
      ...base,
      id: 'ops/keys',
      submit: { webhook: { to: 'tickets' }, encoding: 'multipart', success: {} },
      examples,
    };
    const { world, admin } = await start(hook, receiver.url);
    await using _end = world;
    const log = { name: 'boot.log', content: Buffer.from([0, 1, 255]) };
    const answer = await sendParts(world, admin, KEYS, [
      ['place[key]', key],
      ['count', '3'],
      ['logs[0]', log],
    ]);
    expect([answer.status, answer.data.state]).toEqual([200, 'delivered']);
    const { data } = JSON.parse(receiver.taken[0]?.body ?? '{}');
    const sha256 = createHash('sha256').update(key.content).digest('hex');
    expect(data).toEqual({
      place: { key: { file_name: 'id.pub', size: key.content.length, sha256, content: Buffer.from(key.content).toString('base64') } },
      count: 3,
      logs: [expect.objectContaining({ file_name: 'boot.log', size: 3, content: 'AAH/' })],
    });
    const audit = JSON.stringify(await world.ctx.db.selectFrom('audit').selectAll().execute());
    expect(audit).toContain(sha256);
    expect(audit).not.toContain(data.place.key.content);
    expect(uploadsLeft(world)).toEqual([]);
  });
});
