import { describe, expect, test } from 'vitest';
import { HOUR } from '../../server/kernel/clock.ts';
import { hashEnrolmentCode } from '../../server/domain/devices/enrolment-code.ts';
import { as } from '../helpers/as.ts';
import { makeDevice, makeEnrolmentCode, makeTag, makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

const input = { uses: 25, expires_in_hours: 72 };

describe('making an enrolment code', () => {
  test('shows it once, with the line that joins a device; only its hash is kept', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const { status, data } = await admin.post('/devices/enrolment-codes', { ...input, company_id: top.id, name_prefix: 'quay-' });
    expect(status).toBe(201);
    expect(data.code).toMatch(/^[23456789A-HJKMNP-TW-Z]{4}(-[23456789A-HJKMNP-TW-Z]{4}){3}$/);
    const url = world.ctx.publicUrl();
    expect(data.command).toBe(`curl -fsS ${url}/agent/canopy-agent | sh -s -- install --url ${url} --code ${data.code}`);
    expect(data.command_wget).toBe(`wget -qO- ${url}/agent/canopy-agent | sh -s -- install --url ${url} --code ${data.code}`);
    expect(data).toMatchObject({ uses: 25, used: 0, state: 'active', code_hint: data.code.slice(-4), name_prefix: 'quay-' });
    const row = await world.ctx.db.selectFrom('enrolment_codes').selectAll().executeTakeFirstOrThrow();
    expect(row.code_hash).toBe(hashEnrolmentCode(data.code));
    expect(row.expires_at).toBe(world.clock.now() + 72 * HOUR);
    const again = [await admin.get('/devices/enrolment-codes'), await admin.get(`/devices/enrolment-codes/${data.id}`)];
    for (const answer of again) expect(answer.text).not.toContain(data.code);
    expect(again[1]?.data).toMatchObject({ code: null, command: null, devices: [] });
  });

  test('neither the code nor its hash is in the history or in the log [OP1]', async () => {
    await using world = await makeWorld({ config: { logLevel: 'trace' } });
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const { data } = await admin.post('/devices/enrolment-codes', { ...input, company_id: top.id });
    const rows = await world.ctx.db.selectFrom('audit').selectAll().where('entity', '=', 'enrolment_code').execute();
    expect(rows).toHaveLength(1);
    const kept = JSON.stringify(rows) + world.log();
    expect(kept).not.toContain(data.code);
    expect(kept).not.toContain(hashEnrolmentCode(data.code));
  });

  test('takes tags of its company or of one above, and no others', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const [above, beside, outside] = [
      await makeTag(world, { company: top, name: 'above' }),
      await makeTag(world, { company: sibling, name: 'beside' }),
      await makeTag(world, { company: foreign }),
    ];
    const ask = (tag_id: number[]) => admin.post('/devices/enrolment-codes', { ...input, company_id: middle.id, tag_id });
    expect((await ask([above.id])).data.tags).toEqual([{ id: above.id, name: 'above', color: '#0958d9' }]);
    expect((await ask([beside.id])).errors).toMatchObject([{ code: 'INVALID_FIELD', source: 'tag_id', params: { tag: 'beside' } }]);
    expect((await ask([above.id, outside.id])).errors).toMatchObject([{ code: 'NOT_FOUND', source: 'tag_id.1' }]);
  });

  test.each([{ uses: 0 }, { uses: 10_001 }, { expires_in_hours: 0 }, { expires_in_hours: 8761 }, { uses: 1.5 }, { code: 'MINE' }])(
    'refuses %j',
    async (wrong) => {
      await using world = await makeWorld();
      const { top } = await makeTree(world);
      const admin = await as(world, 'admin', { company: top });
      const answer = await admin.post('/devices/enrolment-codes', { ...input, company_id: top.id, ...wrong });
      expect(answer.status).toBe(400);
      expect(answer.errors[0]?.source).toBe(Object.keys(wrong)[0]);
    },
  );

  test('for a company outside is "not found"; a guest may make none [AC1]', async () => {
    await using world = await makeWorld();
    const { middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    expect((await admin.post('/devices/enrolment-codes', { ...input, company_id: foreign.id })).errors).toMatchObject([
      { code: 'NOT_FOUND', source: 'company_id' },
    ]);
    const guest = await as(world, 'read_only', { company: middle });
    expect((await guest.post('/devices/enrolment-codes', { ...input, company_id: middle.id })).status).toBe(403);
    expect((await guest.get('/devices/enrolment-codes')).status).toBe(403);
  });
});

describe('enrolment codes', () => {
  test('say by their state why nothing joins with them, and are filtered by it', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const now = world.clock.now();
    await makeEnrolmentCode(world, { company: top, code: 'AAAA-AAAA', hint: 'actv' });
    await makeEnrolmentCode(world, { company: top, code: 'BBBB-BBBB', hint: 'used', uses: 2, used: 2, expires_at: now - 1 });
    await makeEnrolmentCode(world, { company: top, code: 'CCCC-CCCC', hint: 'expd', expires_at: now - 1 });
    await makeEnrolmentCode(world, { company: top, code: 'DDDD-DDDD', hint: 'wdrn', revoked_at: now, used: 10 });
    const hints = async (query: Record<string, string>) =>
      (await admin.get('/devices/enrolment-codes', query)).data.map((code: { code_hint: string; state: string }) => [
        code.code_hint,
        code.state,
      ]);
    expect(await hints({ state: 'active' })).toEqual([['actv', 'active']]);
    expect(await hints({ state: 'used_up' })).toEqual([['used', 'used_up']]);
    expect(await hints({ state: 'expired' })).toEqual([['expd', 'expired']]);
    expect(await hints({ state: 'withdrawn' })).toEqual([['wdrn', 'withdrawn']]);
    expect((await hints({ state: 'active,expired' })).map(([hint]: [string]) => hint).sort()).toEqual(['actv', 'expd']);
  });

  test('name the devices that joined by them', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const code = await makeEnrolmentCode(world, { company: middle });
    const device = await makeDevice(world, { company: middle, enrolment_code_id: code.id, status: 2, quarantine: 'rejoin' });
    await makeDevice(world, { company: middle });
    const moved = await makeDevice(world, { company: top, enrolment_code_id: code.id });
    const admin = await as(world, 'admin', { company: middle });
    const { data } = await admin.get(`/devices/enrolment-codes/${code.id}`);
    expect(data.devices).toMatchObject([{ id: device.id, name: device.name, status: 2, quarantine: 'rejoin' }]);
    expect(data.devices.some((other: { id: number }) => other.id === moved.id)).toBe(false);
  });

  test('are withdrawn once, with history; those of other companies are unknown', async () => {
    await using world = await makeWorld();
    const { middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    const [own, outside] = [await makeEnrolmentCode(world, { company: middle }), await makeEnrolmentCode(world, { company: foreign })];
    expect((await admin.delete(`/devices/enrolment-codes/${own.id}`)).status).toBe(200);
    expect((await admin.delete(`/devices/enrolment-codes/${own.id}`)).status).toBe(200);
    expect((await admin.get(`/devices/enrolment-codes/${own.id}`)).data.state).toBe('withdrawn');
    expect((await admin.delete(`/devices/enrolment-codes/${outside.id}`)).status).toBe(404);
    expect((await admin.get(`/devices/enrolment-codes/${outside.id}`)).status).toBe(404);
    expect((await admin.get('/devices/enrolment-codes')).meta['total']).toBe(1);
    const rows = await world.ctx.db.selectFrom('audit').select('action').where('entity', '=', 'enrolment_code').execute();
    expect(rows).toEqual([{ action: 'enrolment-codes.remove' }]);
  });
});
