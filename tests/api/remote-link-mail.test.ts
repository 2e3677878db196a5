import { expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { makeEntry } from '../helpers/remote.ts';
import { makeWorld } from '../helpers/world.ts';

const given = { email: 'kari@example.org', hours: 2, purpose: 'Look at the camera', ticket_number: '4711' };

test('who gives somebody access can mail them its address, its purpose and its end, and the history says so', async () => {
  await using server = await startMailServer();
  await using world = await makeWorld({ config: { smtpUrl: server.url } });
  const company = await makeCompany(world, { name: 'Fjordline' });
  const admin = await as(world, 'admin', { company });
  const device = await makeDevice(world, { company, name: 'Quay router' });
  const entry = await makeEntry(admin, { device_id: device.id, port: 80, name: 'camera' });
  const { data } = await admin.post(`/remote/entries/${entry}/links`, { ...given, sends_mail: true });
  expect(data).toMatchObject({ mail: 'sent' });
  const [mail] = server.mails;
  expect(server.mails).toHaveLength(1);
  expect(mail?.to).toEqual(['kari@example.org']);
  const until = new Date(world.clock.now() + 2 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
  for (const part of ['camera', 'Quay router', 'Fjordline', 'Look at the camera', until, `/remote/shared?id=${data.id}`])
    expect(mail?.text).toContain(part);
  const silent = await admin.post(`/remote/entries/${entry}/links`, { ...given, email: 'per@example.org' });
  expect(silent.data).toMatchObject({ mail: 'none' });
  expect(server.mails).toHaveLength(1);
  const rows = await world.ctx.db.selectFrom('audit').select('after').where('action', '=', 'remote-access.share').orderBy('id').execute();
  expect(rows.map(({ after }) => (JSON.parse(String(after)) as { mailed: boolean }).mailed)).toEqual([true, false]);
});
