import { describe, expect, test } from 'vitest';
import { inTransaction } from '../../server/kernel/db/database.ts';
import { as } from '../helpers/as.ts';
import { makeDevice, makeRole } from '../helpers/factories.ts';
import { apnForm, textOf, webhookTo, worldWithForm } from '../helpers/forms.ts';
import type { World } from '../helpers/world.ts';

const RUN = '/forms/ops/set-apn/run';

async function answer(world: World, device: { id: number; device_key: string }, state: 'ok' | 'failed', code: number): Promise<void> {
  const commandId = world.commands.findLast((sent) => sent.deviceKey === device.device_key)?.command.id ?? '';
  const result = { deviceId: device.id, connectedAt: null, commandId, state, code, message: null, output: '', truncated: false };
  await inTransaction(world.ctx.db, (trx) => world.ctx.jobs.takeResults(trx, [result]));
  await world.ctx.jobs.settled();
}

describe('a form that starts a device job', () => {
  test('sends each device its own command, follows it to its end, and shows no password', async () => {
    const { world, company, admin } = await worldWithForm();
    await using _end = world;
    const one = await makeDevice(world, { company, name: "Quay 4's; reboot" });
    const two = await makeDevice(world, { company, name: 'Quay 5' });
    const body = { apn: "iot' $(reboot)", auth: 'pap', password: "hun'ter2", device_id: [one.id, two.id] };
    const preview = await admin.post(RUN, { ...body, dry_run: true });
    expect(preview.data).toMatchObject({ total: 2, will_run: 2, device: { id: one.id } });
    expect(preview.data.command).toBe(
      `'uci' 'set' 'network.mob1s1a1.apn=iot'\\'' $(reboot)' && 'uci' 'set' 'network.mob1s1a1.password=***' && 'logger' 'Quay 4'\\''s; reboot'`,
    );
    expect(world.commands).toEqual([]);

    const { meta, status } = await admin.post(RUN, body);
    await world.ctx.jobs.settled();
    expect([status, meta['count']]).toEqual([200, 2]);
    expect(world.commands.map(({ command }) => [command.verb, command.timeoutSeconds])).toEqual([
      ['run', 30],
      ['run', 30],
    ]);
    const bodies = world.commands.map(({ command }) => command.body);
    expect(bodies[0]).toContain(`'network.mob1s1a1.password=hun'\\''ter2'`);
    expect(bodies[1]).toContain(`'logger' 'Quay 5'`);
    await answer(world, one, 'ok', 0);
    await answer(world, two, 'failed', 3);
    const job = (await admin.get(`/jobs/${meta['job_id']}`)).data;
    expect(job).toMatchObject({
      kind: 'form',
      state: 'finished',
      counts: { ok: 1, failed: 1 },
      input: { form: 'ops/set-apn', title: { en: 'Set APN' }, version: 1 },
    });
    const tables = [
      await world.ctx.db.selectFrom('jobs').selectAll().execute(),
      await world.ctx.db.selectFrom('audit').selectAll().execute(),
    ];
    expect(JSON.stringify([job, tables])).not.toMatch(/hun'?.?ter2/);

    const retried = await admin.post(`/jobs/${meta['job_id']}/retry`, {});
    await world.ctx.jobs.settled();
    expect([retried.meta['count'], world.commands.at(-1)?.command.body]).toEqual([1, bodies[1]]);
  });

  test('runs only on devices that support what its field for devices asks for, however they were chosen', async () => {
    const devicesField = { type: 'array', maxItems: 2, items: { type: 'integer', minimum: 1 } } as const;
    const plain = apnForm();
    const form = apnForm({
      schema: { ...plain.schema, properties: { ...plain.schema.properties, device_id: devicesField } },
      ui: {
        ...plain.ui,
        device_id: { 'ui:widget': 'device-select', 'ui:label': { en: 'Devices' }, 'ui:options': { supports: 'mobile' } },
      },
    });
    const { world, company, admin } = await worldWithForm(form, webhookTo('http://127.0.0.1:9/', false));
    await using _end = world;
    const router = await makeDevice(world, { company, model: 'RUTX50' });
    const tap = await makeDevice(world, { company, model: 'TAP200' });
    const skipped = [{ reason: 'UNSUPPORTED', count: 1, sample: [{ id: tap.id, name: tap.name }] }];
    const preview = await admin.post(RUN, { apn: 'iot', device_id: [router.id, tap.id], dry_run: true });
    expect(preview.data).toMatchObject({ will_run: 1, skipped });
    const selection = { query: { company_id: String(company.id) }, count: 2 };
    expect((await admin.post(RUN, { apn: 'iot', selection, dry_run: true })).data).toMatchObject({ will_run: 1, skipped });
    const able = { query: { ...selection.query, supports: 'mobile' }, count: 1 };
    expect((await admin.post(RUN, { apn: 'iot', selection: able, dry_run: true })).data).toMatchObject({ total: 1, skipped: [] });
    await admin.post(RUN, { apn: 'iot', selection });
    await world.ctx.jobs.settled();
    expect(world.commands.map(({ deviceKey }) => deviceKey)).toEqual([router.device_key]);

    const third = await makeDevice(world, { company });
    const tooMany = [{ source: 'device_id', params: { key: 'validation.maxItems' } }];
    expect((await admin.post(RUN, { apn: 'iot', selection })).errors).toMatchObject(tooMany);
    expect((await admin.post(RUN, { apn: 'iot', device_id: [router.id, tap.id, third.id] })).errors).toMatchObject(tooMany);

    const ticket = { ...form, id: 'ops/report', submit: { webhook: { to: 'tickets' }, payload: 'devices' as const, success: {} } };
    await admin.put('/forms/ops/report', { text: textOf(ticket) });
    const refused = await admin.post('/forms/ops/report/run', { apn: 'iot', device_id: [tap.id] });
    expect(refused.errors).toMatchObject([{ source: 'device_id', params: { key: 'validation.device.unsupported', name: tap.name } }]);
  });

  test('an accepted exit code other than 0 is a success and stays what it was; any other is none', async () => {
    const { job } = apnForm().submit;
    const { world, company, admin } = await worldWithForm(
      apnForm({ submit: { job: { steps: job?.steps ?? [], exitCodes: [0, 3] }, success: { then: 'job' } } }),
    );
    await using _end = world;
    const devices = [await makeDevice(world, { company }), await makeDevice(world, { company }), await makeDevice(world, { company })];
    const { meta } = await admin.post(RUN, { apn: 'iot', device_id: devices.map(({ id }) => id) });
    await world.ctx.jobs.settled();
    const codes = [3, 4, 0];
    for (const [index, device] of devices.entries()) await answer(world, device, codes[index] === 0 ? 'ok' : 'failed', codes[index] ?? 0);
    const { data } = await admin.get(`/jobs/${meta['job_id']}/targets`);
    expect(data.map((target: { state: string; code: number }) => [target.state, target.code])).toEqual([
      ['ok', 3],
      ['failed', 4],
      ['ok', 0],
    ]);
  });

  test('goes in waves like any other job', async () => {
    const { world, company, admin } = await worldWithForm();
    await using _end = world;
    const ids = [];
    for (let index = 0; index < 3; index += 1) ids.push((await makeDevice(world, { company })).id);
    expect((await admin.post(RUN, { apn: 'iot', device_id: ids, waves: { size: 1 } })).meta['count']).toBe(3);
    await world.ctx.jobs.settled();
    expect(world.commands).toHaveLength(1);
  });

  test('is for holders of its permission, over devices that they see', async () => {
    const { world, admin } = await worldWithForm();
    await using _end = world;
    const other = await makeDevice(world);
    const holder = await as(world, await makeRole(world, { permissions: ['execute_device_actions', 'view_devices'] }));
    const stranger = await as(world, await makeRole(world, { permissions: ['view_devices', 'execute_device_commands'] }));
    const body = { apn: 'iot', device_id: [other.id] };
    expect((await stranger.post(RUN, body)).codes).toEqual(['FORBIDDEN']);
    expect((await holder.post(RUN, body)).errors).toMatchObject([{ code: 'NOT_FOUND', source: 'device_id.0' }]);
    expect((await admin.post(RUN, body)).status).toBe(200);
    expect((await admin.post('/forms/ops/none/run', body)).codes).toEqual(['NOT_FOUND']);
    expect((await admin.post('/forms/tags/new/run', {})).codes).toEqual(['NOT_FOUND']);
  });

  test('refuses a hidden field, one without the right for it, an unknown one and a wrong one, as shipped forms do [IN10]', async () => {
    const { world, company } = await worldWithForm();
    await using _end = world;
    const device = await makeDevice(world, { company });
    const holder = await as(world, await makeRole(world, { company, permissions: ['execute_device_actions', 'view_devices'] }), {
      company,
    });
    const refused = async (data: object) =>
      (await holder.post(RUN, { apn: 'iot', device_id: [device.id], ...data })).errors.map(({ code, source }) => `${code} ${source}`);
    expect(await refused({ auth: 'none', password: 'x' })).toEqual(['INVALID_FIELD password']);
    expect(await refused({ auth: 'pap' })).toEqual(['INVALID_FIELD password']);
    expect(await refused({ mtu: 1400 })).toEqual(['UNKNOWN_FIELD mtu']);
    expect(await refused({ surprise: 1 })).toEqual(['UNKNOWN_FIELD surprise']);
    expect(await refused({ apn: '' })).toEqual(['INVALID_FIELD apn']);
    expect(await refused({ dry_run: 'yes' })).toEqual(['INVALID_FIELD dry_run']);
    expect((await holder.post(RUN, '{"apn":"x","__proto__":{"mtu":1},"device_id":[1]}')).status).toBe(400);
    expect(await refused({})).toEqual([]);
  });
});

test('a mask, times and JSON in a text are judged on the server as in the console, at the same fields [IN10]', async () => {
  const { world, admin } = await worldWithForm(
    apnForm({
      id: 'ops/window',
      permission: 'view_devices',
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['code', 'window', 'settings'],
        properties: {
          code: { type: 'string', maxLength: 10 },
          window: {
            type: 'object',
            additionalProperties: false,
            required: ['from', 'to'],
            properties: { from: { type: 'string', format: 'timestamp' }, to: { type: 'string', format: 'timestamp' } },
          },
          settings: { type: 'string', maxLength: 200_000 },
        },
      },
      fields: {},
      ui: {
        code: { 'ui:label': { en: 'Code' }, 'ui:mask': 'AA-##' },
        window: { 'ui:label': { en: 'When' }, 'ui:widget': 'time-range' },
        settings: { 'ui:label': { en: 'Settings' }, 'ui:widget': 'json' },
      },
      submit: { webhook: { to: 'nobody' }, success: {} },
      examples: [{ code: 'NO-47', window: { from: '2026-11-20 00:00:00', to: '2026-11-21 00:00:00' }, settings: '{}' }],
    }),
  );
  await using _end = world;
  const right = { code: 'NO-47', window: { from: '2026-11-20 00:00:00', to: '2026-11-21 00:00:00' }, settings: '{}' };
  const said = async (data: object) =>
    (await admin.post('/forms/ops/window/run', { ...right, ...data })).errors.map(({ source, params }) => [source, params?.['key']]);
  expect(await said({ code: 'NO-4x', window: { from: right.window.to, to: right.window.from }, settings: '[1,]' })).toEqual([
    ['code', 'validation.mask.rest'],
    ['window', 'validation.timeRange.order'],
    ['settings', 'validation.json.at'],
  ]);
  expect(await said({ code: 'NO-4' })).toEqual([['code', 'validation.mask.incomplete']]);
  expect(await said({ settings: '['.repeat(150_000) })).toEqual([['settings', 'validation.json.at']]);
  expect((await admin.post('/forms/ops/window/run', right)).codes).toEqual(['WEBHOOK_NOT_SET']);
});
