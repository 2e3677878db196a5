import type { ApiClient } from './api-client.ts';
import { idOf, type Names } from './demo-names.ts';

/** Sites with where they are: the devices of a company stand at one. */
const SITES: [company: string, name: string, address: string, latitude: number, longitude: number][] = [
  ['Fjordline Vest', 'Bergen quay', 'Strandkaien 3, Bergen', 60.3963, 5.3221],
  ['Fjordline Nord', 'Tromsø terminal', 'Prostneset, Tromsø', 69.6489, 18.9551],
  ['Kraftnett Hordaland', 'Modalen substation', 'Modalsvegen 10, Modalen', 60.8221, 5.7907],
  ['Kraftnett Rogaland', 'Sandnes substation', 'Elvegata 2, Sandnes', 58.8524, 5.7352],
  ['Bybanen Depot', 'Kokstad depot', 'Kokstaddalen 35, Bergen', 60.2934, 5.2638],
];

/** Rules, plans, dashboards and templates of a company that has run its fleet for some time. */
export async function addRooms(api: ApiClient, companies: Names, tags: Names): Promise<void> {
  const top = idOf(companies, 'Nordic Fleet');
  const fjordline = idOf(companies, 'Fjordline');
  const ferry = idOf(tags, 'ferry');
  await addAutomations(api, top, tags);
  await api.call('POST', '/maintenance-windows', {
    name: 'Ferries in harbour',
    company_id: fjordline,
    applies_to: 'tag',
    tag_ids: [ferry],
    days: ['sun'],
    time_from: '23:30',
    time_to: '03:00',
    timezone: 'Europe/Oslo',
    uses_device_time: false,
    is_active: true,
  });
  await api.call('POST', '/backup-rules', {
    name: 'Every night',
    company_id: top,
    applies_to: 'company',
    period: 'day',
    time: '03:00',
    timezone: 'Europe/Oslo',
    keep: 7,
    is_active: true,
  });
  await api.call('POST', '/devices/tasks/groups', {
    company_id: top,
    name: 'Collect logs',
    tasks: [
      {
        name: 'Note and uptime',
        type: 'command',
        timeout: 30,
        stop_on_failure: true,
        data: { command: 'echo {{note}}; uptime', acceptable_codes: [0] },
      },
      { name: 'Signal', type: 'command', timeout: 30, stop_on_failure: false, data: { command: 'gsmctl -q', acceptable_codes: [0, 1] } },
    ],
    variables: [{ name: 'note', type: 'text', default: 'by the support desk' }],
  });
  for (const template of ['overview', 'mobile', 'data'])
    await api.call('POST', '/dashboards', { name: DASHBOARDS[template], kind: 'fleet', template, share: 'company' });
  await api.call('POST', '/dashboards', { name: 'One router', kind: 'device', template: 'overview', share: 'company' });
  await api.call('POST', '/devices/configurator/templates', {
    company_id: fjordline,
    name: 'Names on board',
    version: '1',
    system: 'rutos',
    description: 'Every router is called as in the console',
    template: [{ path: '/system/general/config/system', method: 'put', request_data: { data: { hostname: '{{device.name}}' } } }],
  });
  await addReports(api, top, ferry);
}

const DASHBOARDS: Record<string, string> = { overview: 'Control room', mobile: 'Mobile networks', data: 'Data usage' };

async function addAutomations(api: ApiClient, company: number, tags: Names): Promise<void> {
  await api.call('POST', '/automations', {
    name: 'Offline for a minute',
    company_id: company,
    applies_to: 'company',
    delay_duration: 60,
    enabled: true,
    conditions_body: [
      {
        type: 'if',
        expression: [{ parameter: 'status', operator: '==', value: 'offline' }],
        actions: [{ name: 'RaiseAlert', options: { severity: 'critical', message: '%rn is offline' } }],
      },
    ],
  });
  await api.call('POST', '/automations', {
    name: 'Weak signal on a ferry',
    description: 'Tells the harbour office, at most twice a day.',
    company_id: company,
    applies_to: 'tag',
    tag_ids: [idOf(tags, 'ferry')],
    cooldown_duration: 3600,
    period: 'day',
    period_trigger_limit: 2,
    enabled: true,
    conditions_body: [
      {
        type: 'if',
        expression: [{ parameter: 'signal', operator: '<', value: '-90' }],
        actions: [{ name: 'RaiseAlert', options: { severity: 'warning', message: '%rn: weak signal' } }],
      },
    ],
  });
}

async function addReports(api: ApiClient, company: number, tag: number): Promise<void> {
  await api.call('POST', '/reports', {
    name: 'Ferries each week',
    type: 'periodic',
    period: 'week',
    time: '06:00',
    timezone: 'Europe/Oslo',
    parameters: ['availability', 'signal', 'data_usage'],
    applied_by: 'tag',
    tag_ids: [tag],
    company_id: company,
  });
}

/** What needs devices that have joined: sites they stand at, what they are asked for, and ways to them and to what is behind them. */
export async function addRoomsOfDevices(
  api: ApiClient,
  companies: Names,
  devicesOf: (company: string) => Promise<readonly number[]>,
): Promise<void> {
  for (const [company, name, address, latitude, longitude] of SITES) {
    const device_id = await devicesOf(company);
    if (device_id.length === 0) continue;
    const site = await api.call<{ id: number }>('POST', '/sites', {
      company_id: idOf(companies, company),
      name,
      address,
      latitude,
      longitude,
    });
    await api.call('PUT', '/devices/site', { device_id, site_id: site.id });
  }
  const vest = await devicesOf('Fjordline Vest');
  const [first] = vest;
  if (first === undefined) return;
  const template = await api.call<{ id: number }>('POST', '/data-collect/configs', {
    company_id: idOf(companies, 'Fjordline'),
    name: 'Load and memory',
    description: 'Every five minutes',
    period: 300,
    enabled: true,
    data: [
      { url: '/file/proc/loadavg', variables: [{ id: 'load', filter: '$.lines[0][0]', type: 'number' }] },
      { url: '/ubus/system/info', variables: [{ id: 'memory_free', filter: '$.memory.free', type: 'integer' }] },
    ],
  });
  await api.call('PUT', `/data-collect/configs/${template.id}/assign`, { device_id: vest, period: 300, enabled: true });
  await api.call('POST', '/devices/remote-access', {
    data: [
      { device_id: first, name: 'Page of the router', destination_ip: '127.0.0.1', destination_port: 80, protocol: 'http' },
      { device_id: first, name: 'Shell', destination_ip: '127.0.0.1', destination_port: 22, protocol: 'ssh' },
    ],
  });
  await addVpnHub(api, idOf(companies, 'Fjordline Vest'), vest.slice(0, 2));
  const today = new Date().toISOString().slice(0, 10);
  const single = await api.call<{ id: number }>('POST', '/reports', {
    name: 'The whole fleet today',
    type: 'single',
    period: 'custom',
    start_date: today,
    end_date: today,
    parameters: ['availability', 'data_usage', 'firmware'],
    applied_by: 'company',
    company_id: idOf(companies, 'Nordic Fleet'),
  });
  await api.call('POST', `/reports/${single.id}/generate`, {});
}

/** A VPN hub that joins devices with the laptop of a technician, which reaches the first of them by a rule. */
async function addVpnHub(api: ApiClient, company_id: number, device_id: readonly number[]): Promise<void> {
  const hub = await api.call<{ id: number }>('POST', '/vpn/hubs', {
    company_id,
    name: 'Quay service',
    description: 'Ticket machines and cameras of the quays',
    endpoint: 'vpn.fjordline.example',
    port: 51_820,
    ip: '10.77.0.0',
    netmask: '255.255.255.0',
  });
  await api.call('POST', `/vpn/hubs/${hub.id}/devices`, { device_id });
  await api.call('POST', '/vpn/hubs/users/custom', { vpn_hub_id: hub.id, username: 'Service laptop' });
  const clients = await api.call<{ id: number; type: string }[]>('GET', `/vpn/hubs/users?vpn_hub_id=${hub.id}`);
  const [laptop, router] = [clients.find(({ type }) => type === 'custom'), clients.find(({ type }) => type === 'device')];
  if (laptop && router)
    await api.call('POST', '/vpn/hubs/rules', { vpn_hub_id: hub.id, from_client_id: laptop.id, to_client_id: router.id });
}
