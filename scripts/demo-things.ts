import type { ApiClient } from './api-client.ts';
import { idOf, type Names } from './demo-names.ts';
import { addRooms, addRoomsOfDevices } from './demo-rooms.ts';

const DAY = 24 * 3600 * 1000;
const HOTSPOT_CONFIG = `config interface 'lan'
	option proto 'static'
	option ipaddr '10.20.0.1'
	option netmask '255.255.255.0'

config interface 'mob1s1a1'
	option proto 'wwan'
	option apn 'telemetry.example'
	option pdptype 'ip'
`;
const WATCHDOG = `#!/bin/sh
# Restarts the modem after three pings without an answer.
ping -c 3 -W 5 192.0.2.1 >/dev/null || /etc/init.d/modem restart
`;

function timestamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** Credits of several kinds, where they went, two codes of which one was redeemed, and data that was bought. */
async function addCredits(api: ApiClient, companies: Names): Promise<void> {
  const top = idOf(companies, 'Nordic Fleet');
  const fjordline = idOf(companies, 'Fjordline');
  const kraftnett = idOf(companies, 'Kraftnett');
  await api.call('POST', '/credits', {
    credit_type_id: 2,
    credit_count: 500,
    company_id: top,
    credit_price: 2.5,
    pro_form_nr: 'PF-2026-118',
    expire_at: timestamp(Date.now() + 365 * DAY).slice(0, 10),
  });
  await api.call('POST', '/credits', { credit_type_id: 1, credit_count: 60, company_id: top });
  await api.call('POST', '/credits', {
    credit_type_id: 6,
    credit_count: 40,
    company_id: top,
    credit_price: 24,
    pro_form_nr: 'PF-2026-119',
  });
  const moves: [type: string, source: number, target: number, amount: number][] = [
    ['credit', top, fjordline, 120],
    ['credit', top, kraftnett, 90],
    ['credit', fjordline, idOf(companies, 'Fjordline Vest'), 40],
    ['credit', kraftnett, idOf(companies, 'Kraftnett Hordaland'), 30],
    ['management_1y', top, kraftnett, 15],
  ];
  for (const [credit_type_name, source, target, amount] of moves)
    await api.call('POST', '/credits/move', { credit_type_name, source, target, amount });
  const code = await api.call<{ code: string }>('POST', '/credits/codes', {
    credit_type_name: 'credit',
    company_id: top,
    amount: 10,
    comment: 'For the new quay',
  });
  await api.call('POST', '/credits/codes/activate', { code: code.code });
  await api.call('POST', '/credits/codes', {
    credit_type_name: 'credit',
    company_id: fjordline,
    amount: 25,
    comment: 'Summer season',
  });
  await api.call('POST', '/companies/data', { company_id: top, credits: '15' });
  await api.call('POST', '/companies/data', { company_id: fjordline, credits: '20' });
}

async function addFiles(api: ApiClient, companies: Names): Promise<void> {
  const files: [company: string, type: string, name: string, description: string, content: string][] = [
    ['Nordic Fleet', 'config', 'telemetry-apn.cfg', 'The access point of all SIM cards', HOTSPOT_CONFIG],
    ['Fjordline', 'device_task_manager_file', 'modem-watchdog.sh', 'Restarts the modem on board', WATCHDOG],
  ];
  for (const [company, type, name, description, content] of files)
    await api.upload('/files', { company_id: String(idOf(companies, company)), type, description }, { name, content });
}

/** What makes the pages of a fresh installation worth looking at, through the same calls as everybody uses. */
export async function addDemoThings(api: ApiClient, companies: Names, tags: Names): Promise<void> {
  const top = idOf(companies, 'Nordic Fleet');
  await addCredits(api, companies);
  await addFiles(api, companies);
  await api.call('POST', '/users/invite', { company_id: idOf(companies, 'Fjordline'), email: 'kari@fjordline.example', role: 'end_user' });
  const users = await api.call<{ id: number; email: string }[]>('GET', '/users?limit=100');
  const helped = users.find(({ email }) => email.startsWith('end-user@'));
  await api.call('POST', `/users/${helped?.id}/impersonation-requests`, { reason: 'The device list does not load.' });
  await api.call('POST', '/notifications/rules', {
    company_id: idOf(companies, 'Kraftnett'),
    in_console: ['deviceOffline', 'deviceQuarantined', 'jobFailed'],
    by_mail: ['jobFailed'],
  });
  await api.call('POST', '/system/announcements', {
    type: 'maintenance',
    summary: 'The mobile operator works on its core network on <b>Sunday from 02:00 to 04:00 UTC</b>. Devices may go offline for a minute.',
    audience: 'everybody',
    period: { from: timestamp(Date.now() - 60_000), to: timestamp(Date.now() + 14 * DAY) },
  });
  await api.call('POST', `/tags/${idOf(tags, 'canary')}/actions`, { action: 'run', command: 'uptime', timeout: 30 });
  await api.call('POST', '/views', {
    name: 'Offline devices',
    share: 'company',
    everyone: true,
    resource: 'devices',
    query: 'status=offline&sort=-last_update_at',
  });
  const roles = await api.call<{ id: number; name: string }[]>('GET', '/roles?limit=100');
  const robot = await api.call<{ id: number }>('POST', '/service-accounts', {
    name: 'Inventory robot',
    description: 'Reads the list of devices each night',
    company_id: top,
    role_id: roles.find(({ name }) => name === 'readonly_admin')?.id,
  });
  await api.call('POST', `/service-accounts/${robot.id}/tokens`, { name: 'Nightly', scopes: ['devices:read'], expires_in_days: 90 });
  const trial = await api.call<{ id: number }>('POST', '/companies', {
    name: 'Bybanen Prøvedrift',
    parent_id: idOf(companies, 'Bybanen'),
  });
  await api.call('DELETE', `/companies/${trial.id}`);
  await addRooms(api, companies, tags);
}

/** What people do with devices once these have joined: jobs, a tag with an action, credits on devices, sites, ways to them. */
export async function workWithDevices(api: ApiClient, companies: Names, tags: Names): Promise<void> {
  const devicesOf = async (company: string): Promise<number[]> => {
    const rows = await api.call<{ id: number }[]>('GET', `/devices?company_id=${idOf(companies, company)}&limit=100&fields=id`);
    return rows.map(({ id }) => id);
  };
  const vest = await devicesOf('Fjordline Vest');
  const hordaland = await devicesOf('Kraftnett Hordaland');
  const jobs: [method: 'POST' | 'PUT', path: string, body: { device_id: number[] } & Record<string, unknown>][] = [
    ['POST', '/devices/commands', { device_id: vest, command: 'uptime', timeout: 30 }],
    ['POST', '/devices/actions', { device_id: hordaland, action: 'update_metrics_data' }],
    ['PUT', '/devices/tags/assign', { device_id: vest.slice(0, 5), tag_id: [idOf(tags, 'canary')] }],
    ['PUT', '/devices/credit', { device_id: hordaland.slice(0, 6), credit_enabled: true, credit_type_id: 2, auto_extend_credit: true }],
  ];
  for (const [method, path, body] of jobs) if (body.device_id.length > 0) await api.call(method, path, body);
  await addRoomsOfDevices(api, companies, devicesOf);
}
