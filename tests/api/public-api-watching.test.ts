import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeDevice, makeTag, makeTree } from '../helpers/factories.ts';
import { asProgram, type Program } from '../helpers/program.ts';
import { makeWorld, type World } from '../helpers/world.ts';

// Automations, reports and monitoring templates as programs of the public API write them.

let world: World;
let program: Program;
let admin: Caller;
let company: number;
let device: number;
let tag: number;

beforeAll(async () => {
  world = await makeWorld();
  const { top } = await makeTree(world);
  company = top.id;
  program = await asProgram(world, 'admin', { company: top });
  admin = await as(world, 'admin', { company: top });
  tag = (await makeTag(world, { company: top, name: 'ferry' })).id;
  device = (await makeDevice(world, { company: top, status: 1 })).id;
});
afterAll(() => world[Symbol.asyncDispose]());

const rule = [
  {
    type: 'if',
    expression: [{ parameter: 'temperature', operator: '==', value: 70, joins_with: '&&' }],
    actions: [{ name: 'Reboot', options: {} }],
    conditions: [],
  },
];
const automation = {
  ...{ name: 'Hot', description: '', enabled: true, cooldown_enabled: true, cooldown_duration: 60, delay_enabled: false },
  ...{ delay_duration: 0, delay_repetitions_count: 0, period_trigger_limit: 10, conditions_body: rule },
};

describe('an automation of a program', () => {
  test('is for no device until its devices are named, in the documented list of one record', async () => {
    const { data, status } = await program.post('/automations', { ...automation, company_id: company });
    expect(status).toBe(200);
    const devicesOf = async () => (await program.get(`/automations/${data.id}/devices`)).data;
    expect(await devicesOf()).toEqual([]);
    expect((await program.put(`/automations/${data.id}/devices`, [{ devices: [device] }])).status).toBe(200);
    expect(await devicesOf()).toMatchObject([{ device_id: device, enabled: true }]);
    expect((await program.get(`/automations/${data.id}/devices`, { model: 'No such model' })).data).toEqual([]);
    expect((await program.put(`/automations/${data.id}/devices/activation`, [{ enable: false, devices: [device] }])).status).toBe(200);
    expect(await devicesOf()).toMatchObject([{ device_id: device, enabled: false }]);
    expect((await program.put('/automations/activate', [{ enable: false, automations: [data.id] }])).status).toBe(200);
    expect((await program.get(`/automations/${data.id}`)).data).toMatchObject({ enabled: false, delay_repetitions_count: 1 });
    expect((await program.delete(`/automations/${data.id}/devices`, [{ devices: [device] }])).status).toBe(200);
    expect(await devicesOf()).toEqual([]);
    const two = [{ devices: [device] }, { devices: [device] }];
    expect((await program.put(`/automations/${data.id}/devices`, two)).status).toBe(400);
  });

  test('is overwritten by device, as documented, and by automation', async () => {
    const ids: number[] = [];
    for (const name of ['One', 'Two']) ids.push((await program.post('/automations', { ...automation, name })).data.id);
    const [one, two] = ids;
    const chosen = async (id: number | undefined) =>
      (await program.get(`/automations/${id}/devices`)).data.map((row: { device_id: number }) => row.device_id);
    expect((await program.put('/automations/devices/overwrite', { data: [{ device_id: device, automation_id: ids }] })).status).toBe(200);
    expect([await chosen(one), await chosen(two)]).toEqual([[device], [device]]);
    const other = await makeDevice(world, { company: { id: company } });
    await program.put('/automations/devices/overwrite', { data: [{ automation_id: one, device_id: [other.id] }] });
    expect([await chosen(one), await chosen(two)]).toEqual([[other.id], [device]]);
  });

  test('keeps what the documented body does not say: its tags, and the devices that were chosen', async () => {
    const { data } = await admin.post('/automations', {
      ...{ name: 'By tag', applies_to: 'tag', tag_ids: [tag], period: 'week' },
      conditions_body: [{ ...rule[0], expression: [{ parameter: 'temperature', operator: '>', value: '60' }] }],
    });
    expect((await program.put(`/automations/${data.id}`, { ...automation, name: 'Hotter' })).status).toBe(200);
    const now = (await admin.get(`/automations/${data.id}`)).data;
    expect(now).toMatchObject({ name: 'Hotter', applies_to: 'tag', tag_ids: [tag], period: 'week' });
    expect(now.conditions_body[0].expression[0].value).toBe('70');
    expect((await program.put(`/automations/${data.id}`, { description: 'Only this' })).data).toMatchObject({
      ...{ name: 'Hotter', description: 'Only this', applies_to: 'tag', period_trigger_limit: 10 },
    });
  });
});

describe('a report template of a program', () => {
  const template = { name: 'Ferries', description: 'd', type: 'periodic', period: 'month', parameters: ['signal'], applied_by: 'tag' };

  test('takes the switch and empty days also where they do not apply', async () => {
    const body = { ...template, type: 'single', apply_list: [tag], is_active: true, start_date: '', end_date: '' };
    expect((await program.post('/reports', body)).status).toBe(200);
    const [{ id }] = (await program.get('/reports', { type: 'single' })).data;
    expect((await program.put(`/reports/${id}`, { ...body, name: 'Boats' })).data).toMatchObject({ name: 'Boats', apply_list: [tag] });
  });

  test('is changed by what is sent, and keeps its mails, its time and its devices', async () => {
    const mails = { time: '07:30', timezone: 'Europe/Oslo', mail_to: ['ops@example.org'], mail_language: 'nb' };
    const { data } = await admin.post('/reports', { ...template, ...mails, tag_ids: [tag] });
    expect((await program.put(`/reports/${data.id}`, { name: 'Boats' })).status).toBe(200);
    expect((await program.put(`/reports/${data.id}`, { ...template, apply_list: [tag], is_active: false })).data).toMatchObject({
      ...{ ...template, ...mails, apply_list: [tag], is_active: false },
    });
    expect((await program.put(`/reports/${data.id}`, { applied_by: 'device' })).errors).toMatchObject([{ source: 'device_ids' }]);
  });
});

test('a monitoring template takes its company and empty searches in the documented body', async () => {
  const body = {
    ...{ name: 'Modem', description: '', company_id: company, api_version: '1', api_system: 'rutos', period: 300, enabled: true },
    device_documentation_id: 1,
    data: [
      {
        ...{ url: '/modems/status', query_parameters: [], search_parameters: [] },
        variables: [{ id: 'rsrp', filter: '$.data[0].rsrp', type: 'number' }],
      },
    ],
  };
  const { data, status } = await program.post('/data-collect/configs', body);
  expect(status).toBe(200);
  expect((await program.put(`/data-collect/configs/${data.id}`, { ...body, name: 'Modems' })).data).toMatchObject({
    ...{ name: 'Modems', company_id: company },
  });
});
