import { loadContract } from '../../schemas/kit/codegen/load.ts';
import type { RouteInfo } from '../../server/kernel/route.ts';
import { UNKNOWN_ID } from './route-samples.ts';

/** Bodies of routes that no form is sent to. */
const OTHER_BODIES: Record<string, unknown> = {
  'POST /api/password-confirmation': { password: 'a long enough phrase' },
  'POST /api/account/email/confirm': { token: 'nothing' },
  'PUT /api/account/user': { tos_accepted: true },
  'POST /api/account/external/confirm': { session_id: 'nothing' },
  'POST /api/account/external': { query: '?state=nothing' },
  'POST /api/account/passkey': { response: '{}' },
  'POST /api/mfa/passkeys': { response: '{}' },
  'POST /api/mfa/passkeys/options': {},
  'PUT /api/account/avatar': { file: 'nothing' },
  'POST /api/invitations/look': { token: 'nothing' },
  'POST /api/mfa': { code: '123456' },
  'POST /api/mfa/resend': { session_id: 'nothing', session_uuid: 'nothing' },
  'POST /api/history/undo': { request_id: 'nothing' },
  'POST /api/devices/configurator/configuration': { device_id: UNKNOWN_ID },
  'POST /api/devices/configurator/logs': { device_id: [UNKNOWN_ID] },
  'POST /api/devices/configurator/read': { device_id: [UNKNOWN_ID] },
  'POST /api/devices/configurator/values': { device_id: [UNKNOWN_ID] },
  'POST /api/devices/configurator/configure': {
    configuration: [
      { device_id: [UNKNOWN_ID], path: '/network/interfaces/config/lan', method: 'put', request_data: { data: { mtu: 1500 } } },
    ],
  },
  'POST /api/devices/configurator/change-sets': {
    name: 'Sample',
    configuration: [
      { device_id: [UNKNOWN_ID], path: '/network/interfaces/config/lan', method: 'put', request_data: { data: { mtu: 1500 } } },
    ],
  },
  'POST /api/devices/configurator/change-sets/:id/edits': {
    configuration: [
      { device_id: [UNKNOWN_ID], path: '/network/interfaces/config/lan', method: 'put', request_data: { data: { mtu: 1500 } } },
    ],
  },
  'PUT /api/devices/configurator/templates/:id/content': { revision: 1, version: '2', template: [] },
  'PUT /api/sites/:id/plan': { image_id: null, spots: [] },
  'POST /api/storage': { key: 'sample', value: 1 },
  'PUT /api/storage/:key': { value: 1 },
  'PUT /api/announcements': { id: [UNKNOWN_ID] },
  'PUT /api/notifications': { id: [UNKNOWN_ID] },
  'POST /api/invitations/join': { token: 'nothing' },
  'POST /api/user/impersonation-request': { token: 'nothing' },
  'POST /api/user/confirm-impersonation-access': { token: 'nothing', hours: 1 },
  'POST /api/user/company': { company_id: UNKNOWN_ID },
  'PUT /api/users/:id/status': { disabled: true },
  'PUT /api/users/status': { disabled: true, members: [{ id: UNKNOWN_ID }] },
  'POST /api/devices': { data: [{ company_id: UNKNOWN_ID, device_series: 'rut', serial: '1106433012', mac: '00:1E:42:AB:CD:EF' }] },
  'POST /api/devices/import': { type: 'csv', file: 'file-1', company_id: UNKNOWN_ID },
  'POST /api/devices/:id/hotspots/:index/users': { username: 'sample', password: 'sample' },
  'PUT /api/devices': { data: [{ id: UNKNOWN_ID, name: 'sample' }] },
  'PUT /api/devices/tags/assign': { device_id: [UNKNOWN_ID], tag_id: [UNKNOWN_ID] },
  'PUT /api/devices/tags/unassign': { device_id: [UNKNOWN_ID], tag_id: [UNKNOWN_ID] },
  'PUT /api/devices/tags/overwrite': { device_id: [UNKNOWN_ID], tag_id: [UNKNOWN_ID] },
  'POST /api/devices/actions': { action: 'reboot', device_id: [UNKNOWN_ID] },
  'POST /api/devices/updates/set': { data: [{ id: UNKNOWN_ID, action: 'upload_backup', file_id: UNKNOWN_ID, offline: false }] },
  'POST /api/devices/updates/cancel': { data: [{ id: UNKNOWN_ID, job_id: [UNKNOWN_ID] }] },
  'POST /api/devices/restore': { device_id: [UNKNOWN_ID] },
  'POST /api/devices/actions/cancel': { device_id: [UNKNOWN_ID] },
  'POST /api/devices/passwords/generate': { data: [{ id: UNKNOWN_ID, length: 16, use_special: 1 }] },
  'POST /api/devices/passwords/set': { data: [{ id: UNKNOWN_ID, password: 'Quay-side-7', password_confirmation: 'Quay-side-7' }] },
  'PUT /api/devices/tasks/:id': { name: 'sample', order: 0, stop_on_failure: true, timeout: 10 },
  'POST /api/devices/tasks/groups/:id': { device_id: [UNKNOWN_ID] },
  'POST /api/devices/:id/command': { command: 'uptime', timeout: 10 },
  'POST /api/files/download/zip': { files: [UNKNOWN_ID] },
  'POST /api/files/remove': { files: [UNKNOWN_ID] },
  'PUT /api/automations/activate': { enable: true, automations: [UNKNOWN_ID] },
  'POST /api/automations/back-test': { automation_id: UNKNOWN_ID },
  'PUT /api/automations/:id/devices': { devices: [UNKNOWN_ID] },
  'DELETE /api/automations/:id/devices': { devices: [UNKNOWN_ID] },
  'PUT /api/automations/:id/devices/activation': { enable: true, devices: [UNKNOWN_ID] },
  'PUT /api/automations/devices/assign': { data: [{ automation_id: UNKNOWN_ID, device_id: [UNKNOWN_ID] }] },
  'PUT /api/automations/devices/unassign': { data: [{ automation_id: UNKNOWN_ID, device_id: [UNKNOWN_ID] }] },
  'POST /api/devices/alerts-configurations': {
    data: [{ device_id: UNKNOWN_ID, alert_type_id: 1, alert_subtype_id: 1, action: 2, message: '%rn', redundancy_interval: 0 }],
  },
  'PUT /api/devices/automations/overwrite': { data: [{ device_id: UNKNOWN_ID, automation_id: [UNKNOWN_ID] }] },
  'PUT /api/automations/devices/overwrite': { data: [{ automation_id: UNKNOWN_ID, device_id: [UNKNOWN_ID] }] },
  'POST /api/devices/remote-access': {
    data: [{ device_id: UNKNOWN_ID, name: 'sample', destination_ip: '192.168.1.20', destination_port: 80, protocol: 'http' }],
  },
  'PUT /api/devices/remote-access/:id': { name: 'sample' },
  'PUT /api/devices/remote-access/:id/outdated-algorithms': { allowed: true },
  'DELETE /api/devices/remote-access': { id: [UNKNOWN_ID] },
  'POST /api/devices/connect/:id': { duration: 60 },
  'POST /api/devices/:id/connect/webui': { duration: 60 },
  'POST /api/devices/:id/connect/cli': { duration: 60 },
  'POST /api/devices/connect/status': { id: [UNKNOWN_ID] },
  'POST /api/rms-connect/restart': { url: `https://fleet.example/remote/access?entry=${UNKNOWN_ID}` },
  'PUT /api/remote/entries/:id/favourite': { is_favourite: true },
  'POST /api/remote/consents': { entry: UNKNOWN_ID, purpose: 'sample' },
  'POST /api/remote/shared/:id/connect': { duration: 60 },
  'PUT /api/vpn/hubs/:id/toggle': { enabled: false },
  'DELETE /api/vpn/hubs': { id: [UNKNOWN_ID] },
  'POST /api/vpn/hubs/:id/devices': { device_id: [UNKNOWN_ID] },
  'DELETE /api/vpn/hubs/:id/devices': { device_id: [UNKNOWN_ID] },
  'POST /api/vpn/hubs/:id/devices/:device_id/rules': { network: 'lan', status: true },
  'DELETE /api/vpn/hubs/:id/dhcp': { type: 'DNS', ip_address: '10.77.0.53' },
  'POST /api/vpn/hubs/users/:id/toggle': { enabled: false },
  'PUT /api/data-collect/configs/assign': { configs: [{ id: String(UNKNOWN_ID), device_id: [UNKNOWN_ID], period: 300, enabled: true }] },
  'PUT /api/data-collect/configs/:id/unassign': { device_id: [UNKNOWN_ID] },
  'POST /api/account/authorize': {
    response_type: 'code',
    client_id: 'nothing',
    redirect_uri: 'https://app.example/done',
    is_allowed: false,
  },
  'POST /api/account/token': { grant_type: 'refresh_token', client_id: 'nothing' },
  'POST /account/token': { grant_type: 'refresh_token', client_id: 'nothing' },
  'POST /api/account/token/revoke': {},
  'POST /api/jobs/:id/retry': {},
  'PUT /api/dashboards/:id/layout': { version: 1, widgets: [] },
  'POST /api/jobs/:id/roll-back': { dry_run: true },
  'POST /api/email-templates/:id/preview': { subject: 'sample', text: 'sample' },
  'PUT /api/forms/:room/:name': { text: '{}' },
  'POST /api/forms/check': { text: '{}' },
  'POST /api/forms/check/dry-run': { hash: 'nothing', data: {} },
  'POST /api/forms/import': { forms: [{ id: 'nothing/nothing', text: '{}' }] },
  'POST /api/forms/:room/:name/run': { device_id: [UNKNOWN_ID] },
  'POST /api/device-files/:command': { file: 'file-1' },
  'POST /api/enrol': { code: 'K7QM-2V9D-XR4T', serial: '1106433012', mac: '00:1E:42:AB:CD:EF' },
};

const forms = Object.values(loadContract().forms);

/** A body that passes the route's rules. Throws when there is none for a route that takes one. */
export function bodyFor(route: RouteInfo): Record<string, unknown> | undefined {
  if (!route.body) return undefined;
  const key = `${route.method} ${route.path}`;
  const other = OTHER_BODIES[key];
  if (other !== undefined) return { ...(other as object) };
  const form = forms.find((entry) => `${entry.submit.method} /api${entry.submit.path.replace('{id}', ':id')}` === key);
  if (!form) throw new Error(`No sample body for ${key}: add one to tests/helpers/route-bodies.ts`);
  return { ...form.examples[0], ...(form.submit.payload === 'devices' ? { device_id: [UNKNOWN_ID] } : {}) };
}
