import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../server/kernel/clock.ts';
import { as, send } from '../helpers/as.ts';
import { makeCompany, makeEnrolmentCode, makeTag, makeTree } from '../helpers/factories.ts';
import { newIdentity } from '../helpers/mqtt-device.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const claim = (world: World, code: string, more: object = {}, headers: Record<string, string> = {}) =>
  send(world, 'POST', '/enrol', { body: { code, model: 'RUTX50', ...newIdentity(), ...more }, headers });

const devices = (world: World) => world.ctx.db.selectFrom('devices').selectAll().orderBy('id').execute();

describe('joining', () => {
  test('a device joins into the company of the code, with its tags and name, not activated yet', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const tag = await makeTag(world, { company });
    const { code } = await makeEnrolmentCode(world, { company, tags: [tag], name_prefix: 'quay-' });
    const answer = await claim(world, code, { name: '04', serial: 'A-1', mac: '001e42abcdef' });
    expect(answer.status).toBe(201);
    expect(answer.data).toMatchObject({
      device_key: expect.stringMatching(/^[a-z2-7]{20}$/),
      password: expect.stringMatching(/^[\w-]{40}$/),
      mqtt_tls: 0,
    });
    const [device] = await devices(world);
    expect(device).toMatchObject({ company_id: company.id, name: 'quay-04', status: null, quarantine: null, mac: '00:1E:42:AB:CD:EF' });
    expect(JSON.stringify(device)).not.toContain(answer.data.password);
    expect(await world.ctx.db.selectFrom('device_tags').selectAll().execute()).toEqual([{ device_id: device?.id, tag_id: tag.id }]);
  });

  test('a shell reads the answer as one key=value a line', async () => {
    await using world = await makeWorld();
    const { code } = await makeEnrolmentCode(world);
    const answer = await claim(world, code, {}, { accept: 'text/plain' });
    expect(answer.status, 'uclient-fetch of OpenWrt throws a 201 away').toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.text).toMatch(
      /^device_key=[a-z2-7]{20}\npassword=[\w-]{40}\nmqtt_host=127\.0\.0\.1\nmqtt_port=1883\nmqtt_tls=0\nreport_seconds=60\ntunnel_host_key=AAAAC3NzaC1lZDI1NTE5AAAAI[\w+/]{43}=?\n$/,
    );
  });

  test('unknown, expired, withdrawn and used codes are refused with the same bytes [DV1]', async () => {
    await using world = await makeWorld();
    const now = world.clock.now();
    const codes = [
      'NONE-NONE-NONE',
      (await makeEnrolmentCode(world, { expires_at: now })).code,
      (await makeEnrolmentCode(world, { revoked_at: now })).code,
      (await makeEnrolmentCode(world, { uses: 3, used: 3 })).code,
    ];
    const answers = await Promise.all(codes.map((code) => claim(world, code)));
    expect(answers.map((answer) => answer.status)).toEqual([403, 403, 403, 403]);
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers[0]?.codes).toEqual(['ENROLMENT_REFUSED']);
    expect(await devices(world)).toEqual([]);
  });

  test('of 50 devices that claim a code with one use at the same time exactly one joins [DV1]', async () => {
    await using world = await makeWorld();
    const { code, id } = await makeEnrolmentCode(world, { uses: 1 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => claim(world, code)));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(await devices(world)).toHaveLength(1);
    const row = await world.ctx.db.selectFrom('enrolment_codes').select('used').where('id', '=', id).executeTakeFirstOrThrow();
    expect(row.used).toBe(1);
  });

  test('refusals are limited by address, tries by serial number, and the answer says when to come back [DV1]', async () => {
    await using world = await makeWorld();
    const { code } = await makeEnrolmentCode(world, { uses: 1000 });
    const identity = newIdentity();
    for (let count = 0; count < 10; count += 1) expect((await claim(world, code, identity)).status).toBe(201);
    const tooMany = await claim(world, code, identity);
    expect(tooMany.status).toBe(429);
    expect(Number(tooMany.headers['retry-after'])).toBeGreaterThan(0);
    for (let count = 0; count < 20; count += 1) expect((await claim(world, `WRONG-${count}`)).status).toBe(403);
    expect((await claim(world, code)).status).toBe(429);
    await world.clock.advance(MINUTE);
    expect((await claim(world, code)).status).toBe(201);
  });

  test('calls without a valid code use up no attempts of a serial number, from any number of addresses [DV1]', async () => {
    await using world = await makeWorld({ config: { trustProxy: ['127.0.0.1'] } });
    const { code } = await makeEnrolmentCode(world);
    const identity = newIdentity();
    const statuses: number[] = [];
    for (let count = 0; count < 40; count += 1) {
      const from = { 'x-forwarded-for': `192.0.2.${count % 4}` };
      statuses.push((await claim(world, `WRONG-${count}`, identity, from)).status);
    }
    expect(new Set(statuses)).toEqual(new Set([403]));
    expect((await claim(world, code, identity, { 'x-forwarded-for': '198.51.100.1' })).status).toBe(201);
  });

  test('wrong passwords of strangers for a serial number keep no device from joining with the right one [HN12]', async () => {
    await using world = await makeWorld({ config: { trustProxy: ['127.0.0.1'] } });
    const admin = await as(world, 'admin');
    const serial = '1106433012';
    const mac = '00:1E:42:AB:CD:EF';
    const data = [{ company_id: admin.user.company_id, device_series: 'rut', serial, mac, password_confirmation: 'as on the label' }];
    expect((await admin.post('/devices', { data })).status).toBe(201);
    const prove = (proof: string, address: string) =>
      send(world, 'POST', '/enrol', { body: { proof, serial, mac }, headers: { 'x-forwarded-for': address } });
    const statuses: number[] = [];
    for (let count = 0; count < 40; count += 1) statuses.push((await prove(`wrong ${count}`, `192.0.2.${count % 4}`)).status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(30);
    expect(new Set(statuses.slice(30))).toEqual(new Set([429]));
    expect((await prove('as on the label', '198.51.100.1')).status).toBe(201);
  });

  test('the tries of a serial number are counted for each company by itself [DV1]', async () => {
    await using world = await makeWorld();
    const { code: foreign } = await makeEnrolmentCode(world, { uses: 100 });
    const { code } = await makeEnrolmentCode(world);
    const identity = newIdentity();
    for (let count = 0; count < 10; count += 1) await claim(world, foreign, identity);
    expect((await claim(world, foreign, identity)).codes).toEqual(['TOO_MANY_REQUESTS']);
    expect((await claim(world, code, identity)).status).toBe(201);
  });

  test.each([
    ['serial', { serial: 'a b' }],
    ['mac', { mac: '00:1E:42:AB:CD:ZZ' }],
    ['serial', { serial: '' }],
    ['code', { code: 7 }],
    ['name', { name: 'x'.repeat(129) }],
  ])('a wrong %s is refused at its field', async (source, more) => {
    await using world = await makeWorld();
    const { code } = await makeEnrolmentCode(world);
    const answer = await claim(world, code, more);
    expect(answer.status).toBe(400);
    expect(answer.errors.map((error) => error.source)).toContain(source);
  });
});

describe('a serial number that the company knows', () => {
  test('with another MAC waits in quarantine with code 7, noted at both; the running device is not touched [DV2]', async () => {
    await using world = await makeWorld();
    const tree = await makeTree(world);
    const { code } = await makeEnrolmentCode(world, { company: tree.middle });
    const { code: another } = await makeEnrolmentCode(world, { company: tree.middle });
    const { code: sibling } = await makeEnrolmentCode(world, { company: tree.sibling });
    const first = await claim(world, code, { serial: 'S1', mac: '00:1E:42:00:00:01' });
    const second = await claim(world, another, { serial: 'S1', mac: '00:1E:42:00:00:02' });
    const other = await claim(world, sibling, { serial: 'S1', mac: '00:1E:42:00:00:03' });
    expect([first.status, second.status, other.status]).toEqual([201, 201, 201]);
    expect(Object.keys(second.data)).toEqual(Object.keys(first.data));
    const rows = await devices(world);
    expect(rows.map((row) => [row.status, row.quarantine, row.failed_auth_reason])).toEqual([
      [null, null, null],
      [2, 'duplicate_serial', 7],
      [null, null, null],
    ]);
    const events = await world.ctx.db.selectFrom('device_events').selectAll().where('code', '=', 7).execute();
    expect(events.map((event) => event.device_id).sort()).toEqual([rows[0]?.id, rows[1]?.id]);
  });

  test('who decides sees both devices side by side, and nothing of those of another company [AC2]', async () => {
    await using world = await makeWorld();
    const tree = await makeTree(world);
    for (const [company, mac] of [
      [tree.middle, '00:1E:42:00:00:01'],
      [tree.middle, '00:1E:42:00:00:02'],
      [tree.sibling, '00:1E:42:00:00:03'],
    ] as const) {
      const { code } = await makeEnrolmentCode(world, { company });
      await claim(world, code, { serial: 'S1', mac });
    }
    const [first, waiting] = await devices(world);
    const admin = await as(world, 'admin', { company: tree.middle });
    const { data } = await admin.get(`/devices/${waiting?.id}/namesakes`);
    expect(data.map(({ id, mac }: { id: number; mac: string }) => [id, mac])).toEqual([
      [first?.id, '00:1E:42:00:00:01'],
      [waiting?.id, '00:1E:42:00:00:02'],
    ]);
    const neighbour = await as(world, 'admin', { company: tree.sibling });
    expect((await neighbour.get(`/devices/${waiting?.id}/namesakes`)).status).toBe(404);
  });

  test('accepted after the same MAC joined again, the newcomer takes the place of the former device', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const { code } = await makeEnrolmentCode(world, { company });
    const identity = newIdentity();
    await claim(world, code, identity);
    const again = await claim(world, code, identity);
    const [former, waiting] = await devices(world);
    expect(waiting?.quarantine).toBe('rejoin');
    const admin = await as(world, 'admin', { company });
    const answer = await admin.put(`/devices/${waiting?.id}/quarantine`, { decision: 'accept' });
    expect(answer.status).toBe(200);
    expect(await devices(world)).toMatchObject([{ id: former?.id, device_key: again.data.device_key, quarantine: null }]);
    expect(world.commands).toMatchObject([{ deviceKey: former?.device_key, command: { verb: 'forget' } }]);
    await world.clock.advance(MINUTE);
  });

  test('refused, the newcomer is instructed to delete its credentials and its row is gone; a device that does not wait cannot be decided on', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const { code } = await makeEnrolmentCode(world, { company });
    await claim(world, code, { serial: 'S1', mac: '00:1E:42:00:00:01' });
    const second = await claim(world, code, { serial: 'S1', mac: '00:1E:42:00:00:02' });
    const [first, waiting] = await devices(world);
    const admin = await as(world, 'admin', { company });
    expect((await admin.put(`/devices/${waiting?.id}/quarantine`, { decision: 'refuse' })).status).toBe(200);
    expect(await devices(world)).toMatchObject([{ id: first?.id }]);
    expect(world.commands).toMatchObject([{ deviceKey: second.data.device_key, command: { verb: 'forget' } }]);
    expect((await admin.put(`/devices/${first?.id}/quarantine`, { decision: 'accept' })).codes).toEqual(['NOT_QUARANTINED']);
    await world.clock.advance(MINUTE);
  });
});
