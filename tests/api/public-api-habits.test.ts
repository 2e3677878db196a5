import { expect, test } from 'vitest';
import { as, type Answer } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeTag } from '../helpers/factories.ts';
import { asProgram } from '../helpers/program.ts';
import { makeWorld } from '../helpers/world.ts';

// Habits of programs that others wrote: pages by number, ids as text, records that are sent back as they came.

const namesOf = ({ data }: Answer): string[] => data.map(({ name }: { name: string }) => name);

test('lists are read page by page by number, and a page of another size than asked for is refused [CJ2]', async () => {
  await using world = await makeWorld();
  const company = await makeCompany(world);
  for (const name of ['a', 'b', 'c', 'd', 'e']) await makeTag(world, { company, name });
  const program = await asProgram(world, 'admin', { company });
  expect(namesOf(await program.get('/tags', { page: 1, per_page: 2, sort: 'name' }))).toEqual(['a', 'b']);
  expect(namesOf(await program.get('/tags', { page: 3, per_page: 2, sort: 'name' }))).toEqual(['e']);
  expect(namesOf(await program.get('/tags', { page: 2, limit: 3, sort: 'name' }))).toEqual(['d', 'e']);
  expect((await program.get('/tags', { page: 0 })).errors).toMatchObject([{ source: 'page' }]);
  expect((await program.get('/tags', { page: 1, per_page: 1000 })).errors).toMatchObject([{ source: 'per_page' }]);
});

test('ids that a program sends as text are read as numbers, other texts are refused at their field [CJ2]', async () => {
  await using world = await makeWorld();
  const company = await makeCompany(world);
  const device = await makeDevice(world, { company });
  const tag = await makeTag(world, { company, name: 'quay' });
  const program = await asProgram(world, 'admin', { company });
  const assigned = await program.put('/devices/tags/assign', { device_id: [String(device.id)], tag_id: [String(tag.id)] });
  expect(assigned).toMatchObject({ status: 200, data: { changed: 1 } });
  const refused = await program.put('/devices/tags/assign', { device_id: ['12x'], tag_id: [tag.id] });
  expect(refused).toMatchObject({ status: 422, errors: [{ source: 'device_id.0' }] });
});

test('an automation can be put back as it was read, and errors have a message at the top too [CJ2]', async () => {
  await using world = await makeWorld();
  const company = await makeCompany(world);
  const program = await asProgram(world, 'admin', { company });
  const expression = [{ parameter: 'temperature', operator: '==', value: 70, joins_with: '&&' }];
  const conditions = [{ type: 'if', expression, actions: [{ name: 'Reboot', options: {} }], conditions: [] }];
  const made = await program.post('/automations', { name: 'Warm', company_id: company.id, conditions_body: conditions });
  expect(made).toMatchObject({ status: 200, data: { id: expect.any(Number) } });
  const again = await program.put(`/automations/${made.data.id}`, { name: 'Hot', company_id: company.id });
  expect(again).toMatchObject({ status: 200, data: { name: 'Hot', company_id: company.id } });
  const refused = await program.post('/tags', { name: '', company_id: company.id });
  expect(JSON.parse(refused.text)).toMatchObject({ success: false, code: 'INVALID_FIELD', message: refused.errors[0]?.message });
});

test('calls that are done when they answer name a channel that says so, for programs that follow every call [CJ2]', async () => {
  await using world = await makeWorld();
  const company = await makeCompany(world);
  const device = await makeDevice(world, { company });
  const program = await asProgram(world, 'admin', { company });
  const entry = { device_id: device.id, name: 'Camera', destination_ip: '192.168.1.20', destination_port: 443, protocol: 'https' };
  const added = await program.post('/devices/remote-access', { data: [entry] });
  const [id] = added.data.id;
  const changed = await program.put(`/devices/remote-access/${id}`, { name: 'Camera 2' });
  const removed = await program.delete('/devices/remote-access', { id: [id] });
  for (const { meta } of [added, changed, removed]) {
    const { data } = await program.get(`//status/channel/${meta['channel']}`);
    expect(data).toEqual({ [id]: [{ status: 'completed', value: 'done' }] });
  }
});

test('requests are taken as they are documented: capitals, one route, times of day, sources without variables, flags of a form [CJ2]', async () => {
  await using world = await makeWorld();
  const company = await makeCompany(world);
  const device = await makeDevice(world, { company });
  const program = await asProgram(world, 'admin', { company });
  const source = { url: '/api/wireless/interfaces/status', query_parameters: [] };
  const config = { name: 'Wi-Fi', company_id: company.id, api_version: '1.7', period: 300, enabled: true, data: [source] };
  const template = await program.post('/data-collect/configs', config);
  expect(template).toMatchObject({ status: 200 });
  const kept = await program.get(`/data-collect/configs/${template.data.id}`);
  expect(kept.data.config.data).toMatchObject([{ url: source.url, variables: [{ id: 'answer', filter: '$', type: 'object' }] }]);
  const report = {
    name: 'August',
    company_id: company.id,
    type: 'single',
    period: 'custom',
    parameters: ['signal'],
    applied_by: 'device',
    device_ids: [device.id],
  };
  const dated = await program.post('/reports', { ...report, start_date: '2026-08-01 08:00:00', end_date: '2026-08-31 20:00:00' });
  expect(dated).toMatchObject({ status: 200 });
  expect((await program.get(`/reports/${dated.data.id}`)).data).toMatchObject({ start_date: '2026-08-01', end_date: '2026-08-31' });
  const call = { device_id: [device.id], path: '/system/config', method: 'PUT', request_data: [{ data: { hostname: 'a' } }] };
  const configured = await program.post('/devices/configurator/configure', { configuration: [call], dry_run: true });
  expect(configured.errors.map(({ source: place }) => place)).not.toContain('configuration.0.method');
  expect(configured.errors.map(({ source: place }) => place)).not.toContain('configuration.0.request_data');
});

test('a program that has a list already is told that it is the same, until it is another [CJ2]', async () => {
  await using world = await makeWorld();
  const company = await makeCompany(world);
  const program = await asProgram(world, 'admin', { company });
  await makeTag(world, { company, name: 'quay' });
  const read = (etag = '') => world.app.fastify.inject({ url: '/api/tags', headers: { ...program.headers, 'if-none-match': etag } });
  const first = await read();
  expect([first.statusCode, first.headers.etag]).toEqual([200, expect.stringMatching(/^"[\w-]{27}"$/)]);
  const same = await read(String(first.headers.etag));
  expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, '', first.headers.etag]);
  await makeTag(world, { company, name: 'pier' });
  expect((await read(String(first.headers.etag))).statusCode).toBe(200);
  const changing = await world.app.fastify.inject({
    method: 'POST',
    url: '/api/tags',
    headers: program.headers,
    payload: { name: 'dock', company_id: company.id },
  });
  expect([changing.statusCode, changing.headers.etag]).toEqual([201, undefined]);
});

test('members of lists have the documented types for programs, and those of the console for people [CJ2]', async () => {
  await using world = await makeWorld();
  const company = await makeCompany(world);
  const device = await makeDevice(world, { company });
  const program = await asProgram(world, 'admin', { company });
  const person = await as(world, 'admin', { company });
  const entry = { device_id: device.id, name: 'Camera', destination_ip: '192.168.1.20', destination_port: 443, protocol: 'https' };
  await program.post('/devices/remote-access', { data: [entry] });
  expect((await program.get('/devices/remote-access')).data).toMatchObject([{ is_main: false, credentials_required: false }]);
  expect((await person.get('/devices/remote-access')).data).toMatchObject([{ is_main: 0, credentials_required: 0 }]);
  expect((await program.get('/companies')).data).toMatchObject([{ can_use_parent_license: 0 }]);
  expect((await person.get('/companies')).data).toMatchObject([{ can_use_parent_license: false }]);
  const description = JSON.parse((await program.get('/docs/json')).text);
  const list = description.paths['/api/devices/remote-access'].get.responses[200].content['application/json'].schema;
  expect(list.allOf[1].properties.data.items.properties).toMatchObject({
    is_main: { type: 'boolean' },
    name: { $ref: '#/components/schemas/remote_entry/properties/name' },
  });
});

test('a GET that starts something has no HEAD, which would start it and answer nothing [CJ2]', async () => {
  await using world = await makeWorld();
  const company = await makeCompany(world);
  const device = await makeDevice(world, { company, status: 1 });
  const program = await asProgram(world, 'admin', { company });
  const asked = await world.app.fastify.inject({ method: 'HEAD', url: `/api/devices/${device.id}/port-scan`, headers: program.headers });
  expect(asked.statusCode).toBe(404);
  expect(await world.ctx.db.selectFrom('jobs').select('id').execute()).toEqual([]);
  const started = await program.get(`/devices/${device.id}/port-scan`);
  expect([started.status, started.headers['etag']]).toEqual([200, undefined]);
});

test('a session is restarted by a link of this installation alone [CJ2]', async () => {
  await using world = await makeWorld();
  const program = await asProgram(world, 'admin', { company: await makeCompany(world) });
  const restart = (url: string) => program.post('/rms-connect/restart', { url });
  for (const url of ['http://evil.example/?entry=1', 'javascript:alert(1)?entry=1', `${world.ctx.publicUrl()}/remote/access?entry=0x1`])
    expect(await restart(url)).toMatchObject({ status: 422, errors: [{ source: 'url' }] });
  expect((await restart(`${world.ctx.publicUrl()}/remote/access?entry=987654`)).status).toBe(404);
});
