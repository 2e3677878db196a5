import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFleet, type Fleet } from '../../agent/fleet/fleet.ts';
import { SECOND } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeEnrolmentCode, makeTag } from '../helpers/factories.ts';
import { apnForm, webhookTo, worldWithForm } from '../helpers/forms.ts';
import { startMailServer, type MailServer } from '../helpers/mail-server.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';

const MAIL = 'ops@example.org';
const LEVEL = 'tank_level';

let mail: MailServer;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let world: World;
let company: { id: number };
let admin: Caller;
let fleet: Fleet;
let deviceId: number;
let tagId: number;
let groupId: number;
let level = 0;

beforeAll(async () => {
  mail = await startMailServer();
  receiver = await startReceiver([]);
  const { config } = webhookTo(receiver.url, true);
  const options = { listen: true, broker: true, config: { ...config, smtpUrl: mail.url } };
  ({ world, company } = await worldWithForm(apnForm(), options));
  admin = await as(world, 'admin', { company });
  const { code } = await makeEnrolmentCode(world, { company });
  fleet = await startFleet({ url: world.url, code, devices: 1, moods: 'good', seed: 'actions', rebootSeconds: [0.1, 0.2] });
  deviceId = await until(
    'it is online',
    async () => (await admin.get('/devices')).data.find((one: { status: number }) => one.status === 1)?.id,
  );
  tagId = (await makeTag(world, { company })).id;
  const tasks = [{ name: 'Uptime', type: 'command', timeout: 30, data: { command: 'uptime' } }];
  groupId = (await admin.post('/devices/tasks/groups', { name: 'Look', company_id: company.id, tasks })).data.id;
});

afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

interface Entry {
  status: string;
  actions: { name: string; status: string; job_id?: number }[];
}

/** What the device did for a job that an action started. */
async function doneBy({ actions }: Entry): Promise<{ state: string; message: string | null; output?: string | null }> {
  const id = actions[0]?.job_id;
  await until('the job is over', async () => {
    await world.clock.advance(SECOND);
    return (await admin.get(`/jobs/${id}`)).data.state === 'finished';
  });
  const [target] = (await admin.get(`/jobs/${id}/targets`)).data;
  return (await admin.get(`/jobs/${id}/targets/${target.id}`)).data ?? target;
}

const filesOf = async (type: string) => (await admin.get('/files', { type })).data.length;
const tagsOf = async () => (await admin.get(`/devices/${deviceId}`)).data.tags.map(({ id }: { id: number }) => id);
const runForm = (form: string, form_data: object) => ({ name: 'RunForm', options: { form, form_data } });
const eventually = (what: string, read: () => boolean | Promise<boolean>) =>
  until(what, async () => {
    await world.clock.advance(5 * SECOND);
    return await read();
  });

type Case = readonly [what: string, action: () => object, happened: (entry: Entry) => Promise<unknown>];

const cases: readonly Case[] = [
  [
    'notification',
    () => ({ name: 'SendNotification', options: { receiving_users: [admin.user.id], message: 'Tank: %ex' } }),
    () => eventually('it is told', async () => JSON.stringify((await admin.get('/notifications')).data).includes('Tank: ')),
  ],
  [
    'e-mail',
    () => ({ name: 'SendEmail', options: { receiving_emails: [MAIL], subject: 'Tank', message: '%ex' } }),
    () => eventually('it is delivered', () => mail.mails.some(({ to, text }) => to.includes(MAIL) && text.includes(LEVEL))),
  ],
  [
    'webhook',
    () => ({ name: 'Webhook', options: { url: 'tickets' } }),
    () => eventually('it is called', () => receiver.taken.some(({ body }) => body.includes(LEVEL))),
  ],
  [
    'task group',
    () => ({ name: 'TaskManagerAction', options: { task_group_id: groupId } }),
    async (entry) => expect(await doneBy(entry)).toMatchObject({ state: 'ok' }),
  ],
  [
    'any job of devices',
    () => runForm('devices/run-command', { command: 'uptime', timeout: 20 }),
    async (entry) => expect(await doneBy(entry)).toMatchObject({ state: 'ok', output: expect.stringContaining('load average') }),
  ],
  [
    'added form',
    () => runForm('ops/set-apn', { apn: 'iot.example' }),
    async (entry) => {
      expect(await doneBy(entry)).toMatchObject({ state: 'ok' });
      expect(fleet.devices[0]?.configuration.settings.get('network.mob1s1a1.apn')).toEqual(['iot.example']);
    },
  ],
  [
    'export of a backup',
    () => ({ name: 'ExportBackup' }),
    async (entry) => {
      expect(await doneBy(entry)).toMatchObject({ state: 'ok' });
      expect(await filesOf('config')).toBe(1);
    },
  ],
  [
    'troubleshoot file',
    () => ({ name: 'ExportTroubleshoot' }),
    async (entry) => {
      expect(await doneBy(entry)).toMatchObject({ state: 'ok' });
      expect(await filesOf('troubleshoot')).toBe(1);
    },
  ],
  [
    'log of events',
    () => ({ name: 'ExportEventsLog' }),
    async (entry) => {
      expect(await doneBy(entry)).toMatchObject({ state: 'ok' });
      expect(await filesOf('eventslog')).toBe(1);
    },
  ],
  ['tag put on', () => ({ name: 'AddTag', options: { tag_id: tagId } }), async () => expect(await tagsOf()).toEqual([tagId])],
  ['tag taken off', () => ({ name: 'RemoveTag', options: { tag_id: tagId } }), async () => expect(await tagsOf()).toEqual([])],
  [
    'opened incident',
    () => ({ name: 'OpenIncident', options: { title: 'Tank is full', severity: 'critical', message: '%ex' } }),
    async () => expect((await admin.get('/alerts', { state: 'open' })).data).toMatchObject([{ name: 'Tank is full', device_id: deviceId }]),
  ],
  [
    'closed incident',
    () => ({ name: 'CloseIncident', options: { title: 'Tank is full' } }),
    async () => expect((await admin.get('/alerts')).data).toMatchObject([{ name: 'Tank is full', state: 'ended' }]),
  ],
  [
    'reboot',
    () => ({ name: 'Reboot' }),
    async (entry) => expect(await doneBy(entry)).toMatchObject({ state: 'ok', message: expect.stringContaining('Online again') }),
  ],
];

test.each(cases)('a rule with the action %s does it, and its log says so', async (name, action, happened) => {
  const { data, errors } = await admin.post('/automations', {
    ...{ name, applies_to: 'device', device_ids: [deviceId], cooldown_duration: 0 },
    conditions_body: [{ type: 'if', expression: [{ parameter: LEVEL, operator: '>', value: String(level) }], actions: [action()] }],
  });
  expect(errors ?? []).toEqual([]);
  level += 1;
  fleet.devices[0]?.say({ [LEVEL]: level });
  const entry = await until('the log has an entry', async (): Promise<Entry | undefined> => {
    await world.clock.advance(SECOND);
    return (await admin.get(`/automations/${data.id}/logs`)).data.find(({ status }: Entry) => status === 'done' || status === 'failed');
  });
  expect(entry).toMatchObject({ status: 'done', actions: [{ status: 'ok' }] });
  expect(entry.actions).toHaveLength(1);
  await happened(entry);
  await admin.delete('/automations', { id: [data.id] });
});
