import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../server/kernel/clock.ts';
import { as, send, type Caller } from '../helpers/as.ts';
import { changeMember, makeDevice, makeEnrolmentCode, makeTree } from '../helpers/factories.ts';
import { connect, join, newIdentity, type Identity } from '../helpers/mqtt-device.ts';
import { makeWorld, type World } from '../helpers/world.ts';

type Company = Awaited<ReturnType<typeof makeTree>>['top'];

function rowOf(world: World, id: number) {
  return world.ctx.db.selectFrom('devices').selectAll().where('id', '=', id).executeTakeFirst();
}

/** A device claims a code of its own; what the server keeps of it. */
async function joinWith(world: World, code: string, identity: Identity) {
  const { status, data } = await send(world, 'POST', '/enrol', { body: { code, ...identity } });
  expect(status).toBe(201);
  return world.ctx.db.selectFrom('devices').selectAll().where('device_key', '=', data.device_key).executeTakeFirstOrThrow();
}

async function joinInto(world: World, company: Company, identity: Identity) {
  const { code } = await makeEnrolmentCode(world, { company });
  return joinWith(world, code, identity);
}

const accept = (caller: Caller, id: number) => caller.put(`/devices/${id}/quarantine`, { decision: 'accept' });

/** What anybody in a company could have been shown or sent of a device. */
async function heardOf(world: World, { id }: { id: number }) {
  const { db } = world.ctx;
  const events = await db.selectFrom('device_events').selectAll().where('device_id', '=', id).execute();
  const notices = await db.selectFrom('notices').selectAll().where('subject_id', '=', id).execute();
  return [...events, ...notices];
}

describe('namesakes of companies that do not see each other', () => {
  test('a stranger with serial number and MAC of a running device gets a device of their own, and the owner keeps theirs', async () => {
    await using world = await makeWorld();
    const tree = await makeTree(world);
    const identity = newIdentity();
    const owned = await joinInto(world, tree.middle, identity);
    const stranger = await as(world, 'end_user', { company: tree.sibling });
    const claimed = await joinInto(world, tree.sibling, identity);
    expect(claimed).toMatchObject({ company_id: tree.sibling.id, quarantine: null, status: null, failed_auth_reason: null });
    expect((await accept(stranger, claimed.id)).codes).toEqual(['NOT_QUARANTINED']);
    expect(await rowOf(world, owned.id)).toEqual(owned);
    expect(await heardOf(world, owned)).toEqual([]);
    expect(world.commands).toEqual([]);
  });

  test('whoever registers serial number and MAC first does not receive the device of the owner', async () => {
    await using world = await makeWorld();
    const tree = await makeTree(world);
    const identity = newIdentity();
    const claimed = await joinInto(world, tree.sibling, identity);
    const owned = await joinInto(world, tree.middle, identity);
    expect(owned).toMatchObject({ company_id: tree.middle.id, quarantine: null, status: null });
    expect(owned.id).not.toBe(claimed.id);
    expect(await heardOf(world, claimed)).toEqual([]);
    expect(await heardOf(world, owned)).toEqual([]);
  });

  test('whether a stranger has a serial number, with this MAC or another one, does not show', async () => {
    await using world = await makeWorld();
    const tree = await makeTree(world);
    const known = newIdentity();
    const owned = await joinInto(world, tree.middle, known);
    const { code } = await makeEnrolmentCode(world, { company: tree.sibling });
    const probes = [
      await joinWith(world, code, known),
      await joinWith(world, code, { ...newIdentity(), serial: `${known.serial}-unknown` }),
    ];
    const { code: another } = await makeEnrolmentCode(world, { company: tree.foreign });
    probes.push(await joinWith(world, another, { ...newIdentity(), serial: known.serial }));
    expect(
      new Set(probes.map(({ status, quarantine, failed_auth_reason }) => JSON.stringify([status, quarantine, failed_auth_reason]))),
    ).toEqual(new Set(['[null,null,null]']));
    for (const device of [owned, ...probes]) expect(await heardOf(world, device)).toEqual([]);
  });

  test.each([
    ['of a sibling', 'sibling'],
    ['of the company below', 'bottom'],
    ['of the company above', 'top'],
  ] as const)('a device that waits for the place of one %s becomes a device of its own', async (_whose, other) => {
    await using world = await makeWorld();
    const tree = await makeTree(world);
    const identity = newIdentity();
    const former = await makeDevice(world, { ...identity, company: tree[other] });
    const waiting = await makeDevice(world, { ...identity, company: tree.middle, status: 2, quarantine: 'rejoin' });
    const admin = await as(world, 'admin', { company: other === 'top' ? tree.top : tree.middle });
    expect((await accept(admin, waiting.id)).data).toEqual({ id: waiting.id });
    expect(await rowOf(world, waiting.id)).toMatchObject({ quarantine: null, device_key: waiting.device_key });
    expect(await rowOf(world, former.id)).toEqual(former);
    expect(world.commands).toEqual([]);
  });

  test('a device that names serial number and MAC of a stranger is let in as itself, and takes nothing from the owner', async () => {
    await using world = await makeWorld({ listen: true, broker: true });
    const tree = await makeTree(world);
    const { code } = await makeEnrolmentCode(world, { company: tree.sibling });
    const [own, label] = [newIdentity(), newIdentity()];
    const credentials = await join(world.url, code, own);
    const owned = await joinInto(world, tree.middle, label);
    await using device = await connect(credentials, own);
    await device.hello(label);
    const row = await world.ctx.db
      .selectFrom('devices')
      .selectAll()
      .where('device_key', '=', credentials.device_key)
      .executeTakeFirstOrThrow();
    expect(row.quarantine).toBe('duplicate_serial');
    const stranger = await as(world, 'end_user', { company: tree.sibling });
    expect((await accept(stranger, row.id)).data).toEqual({ id: row.id });
    expect(await rowOf(world, row.id)).toMatchObject({ ...label, quarantine: null, device_key: credentials.device_key });
    expect(await rowOf(world, owned.id)).toEqual(owned);
    expect(await heardOf(world, owned)).toEqual([]);
    const reset = await joinInto(world, tree.middle, label);
    const owner = await as(world, 'admin', { company: tree.middle });
    expect((await accept(owner, reset.id)).data).toEqual({ id: owned.id });
    await world.clock.advance(MINUTE);
  });
});

describe('namesakes of a company and of one below it', () => {
  test('the company below does not learn that the one above has the serial number', async () => {
    await using world = await makeWorld();
    const tree = await makeTree(world);
    const identity = newIdentity();
    const above = await joinInto(world, tree.top, identity);
    const below = await joinInto(world, tree.middle, identity);
    expect(below).toMatchObject({ quarantine: null, status: null, failed_auth_reason: null });
    expect(await rowOf(world, above.id)).toEqual(above);
    for (const device of [above, below]) expect(await heardOf(world, device)).toEqual([]);
    const admin = await as(world, 'admin', { company: tree.top });
    expect((await admin.get('/devices', { q: identity.serial })).meta['total']).toBe(2);
  });

  test.each([
    ['the same MAC', {}],
    ['another MAC', { mac: '00:1E:42:FF:FF:01' }],
  ])('with a code of the company above and %s the newcomer waits, and the company below learns nothing', async (_which, more) => {
    await using world = await makeWorld();
    const tree = await makeTree(world);
    const identity = newIdentity();
    const below = await joinInto(world, tree.bottom, identity);
    const above = await joinInto(world, tree.top, { ...identity, ...more });
    expect(above).toMatchObject({ status: 2, quarantine: 'duplicate_serial', failed_auth_reason: 7 });
    expect(await heardOf(world, below)).toEqual([]);
    const admin = await as(world, 'admin', { company: tree.top });
    // Whoever prints the label of a device before its owner joins it must not receive it.
    expect((await accept(admin, above.id)).data).toEqual({ id: above.id });
    expect(await rowOf(world, above.id)).toMatchObject({ company_id: tree.top.id, quarantine: null, device_key: above.device_key });
    expect(await rowOf(world, below.id)).toEqual(below);
    expect(await heardOf(world, below)).toEqual([]);
  });

  test('a code of somebody who sees the own company alone finds no namesake below it', async () => {
    await using world = await makeWorld();
    const tree = await makeTree(world);
    const identity = newIdentity();
    await joinInto(world, tree.bottom, identity);
    const clerk = await as(world, 'end_user', { company: tree.middle });
    const { data } = await clerk.post('/devices/enrolment-codes', { company_id: tree.middle.id, uses: 5, expires_in_hours: 24 });
    expect((await joinWith(world, data.code, identity)).quarantine).toBeNull();
    // Within the company the serial number is watched all the same.
    expect((await joinWith(world, data.code, identity)).quarantine).toBe('rejoin');
    await changeMember(world, clerk.user, { role: 'admin' });
    const other = newIdentity();
    await joinInto(world, tree.bottom, other);
    expect((await joinWith(world, data.code, other)).quarantine).toBe('duplicate_serial');
  });

  test('devices that a move brings together both go on, and one that joins again takes the place of the one with its MAC', async () => {
    await using world = await makeWorld();
    const tree = await makeTree(world);
    const [one, other] = [newIdentity(), newIdentity()];
    const above = await joinInto(world, tree.top, one);
    const below = await joinInto(world, tree.middle, { serial: one.serial, mac: other.mac });
    const admin = await as(world, 'admin', { company: tree.top });
    await admin.post('/devices/move', { device_id: [below.id], company_id: tree.top.id });
    await world.ctx.jobs.settled();
    expect(await rowOf(world, below.id)).toMatchObject({ company_id: tree.top.id, quarantine: null, device_key: below.device_key });
    expect(await rowOf(world, above.id)).toEqual(above);
    const again = await joinInto(world, tree.top, { serial: one.serial, mac: other.mac });
    expect(again.quarantine).toBe('rejoin');
    expect((await accept(admin, again.id)).data).toEqual({ id: below.id });
    expect(await rowOf(world, above.id)).toEqual(above);
    await world.clock.advance(MINUTE);
  });

  test('the place of a device that was moved away meanwhile is not taken', async () => {
    await using world = await makeWorld();
    const tree = await makeTree(world);
    const identity = newIdentity();
    const former = await joinInto(world, tree.middle, identity);
    const waiting = await joinInto(world, tree.middle, identity);
    expect(waiting.quarantine).toBe('rejoin');
    const root = await as(world, 'admin', { company: tree.top });
    await root.post('/devices/move', { device_id: [former.id], company_id: tree.sibling.id });
    await world.ctx.jobs.settled();
    const admin = await as(world, 'admin', { company: tree.middle });
    expect((await accept(admin, waiting.id)).data).toEqual({ id: waiting.id });
    expect(await rowOf(world, former.id)).toMatchObject({ company_id: tree.sibling.id, device_key: former.device_key });
  });
});

describe('at the same moment', () => {
  test('of many that join siblings with one serial number, one of each company is free and all others wait', async () => {
    await using world = await makeWorld();
    const tree = await makeTree(world);
    const codes = await Promise.all([tree.middle, tree.sibling].map((company) => makeEnrolmentCode(world, { company })));
    const { serial } = newIdentity();
    const joined = await Promise.all(
      Array.from({ length: 8 }, (_, index) => joinWith(world, codes[index % 2]?.code ?? '', { ...newIdentity(), serial })),
    );
    for (const company of [tree.middle, tree.sibling]) {
      const states = joined.filter((device) => device.company_id === company.id).map((device) => device.quarantine);
      expect(states.toSorted()).toEqual(['duplicate_serial', 'duplicate_serial', 'duplicate_serial', null]);
    }
  });

  test('of two that join a company and one below it, the one below is free and hears nothing', async () => {
    await using world = await makeWorld();
    const tree = await makeTree(world);
    const identities = Array.from({ length: 5 }, () => newIdentity());
    const codes = await Promise.all([tree.top, tree.bottom].map((company) => makeEnrolmentCode(world, { company })));
    const joined = await Promise.all(identities.flatMap((identity) => codes.map(({ code }) => joinWith(world, code, identity))));
    const below = joined.filter((device) => device.company_id === tree.bottom.id);
    expect(below.map((device) => device.quarantine)).toEqual([null, null, null, null, null]);
    for (const device of below) expect(await heardOf(world, device)).toEqual([]);
    for (const device of joined) expect(['duplicate_serial', null]).toContain(device.quarantine);
  });

  test('of two decisions about one device the first counts and the other one is refused', async () => {
    await using world = await makeWorld();
    const { middle } = await makeTree(world);
    const identity = newIdentity();
    const former = await joinInto(world, middle, identity);
    const waiting = await joinInto(world, middle, identity);
    const admin = await as(world, 'admin', { company: middle });
    const answers = await Promise.all([
      accept(admin, waiting.id),
      admin.put(`/devices/${waiting.id}/quarantine`, { decision: 'refuse' }),
      accept(admin, waiting.id),
    ]);
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    const [accepted, , again] = answers;
    const isAccepted = accepted?.status === 200 || again?.status === 200;
    expect((await rowOf(world, former.id))?.device_key).toBe(isAccepted ? waiting.device_key : former.device_key);
    expect(await rowOf(world, waiting.id)).toBeUndefined();
    await world.clock.advance(MINUTE);
  });
});
