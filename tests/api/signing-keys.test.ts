import { beforeAll, describe, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { upload } from '../helpers/files.ts';
import { startJob, statesOf } from '../helpers/jobs.ts';
import { makeSigner } from '../helpers/minisign.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let below: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
const signer = makeSigner();

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  below = await makeCompany(world, { parent: company });
  admin = await as(world, 'admin', { company });
  return () => world[Symbol.asyncDispose]();
});

const give = async (name: string): Promise<number> =>
  Number((await upload(world, admin, company, `content of ${name}`, name, 'firmware')).meta['id']);
const signatureOf = (name: string, by = signer) => by.sign(Buffer.from(`content of ${name}`));
const update = (file_id: number, ids: number[], more: object = {}) =>
  admin.post('/devices/updates/firmware', {
    source: 'file',
    file_id,
    keep_settings: true,
    back_within: 15,
    device_id: ids,
    dry_run: true,
    ...more,
  });

describe('firmware of a company with signing keys [DV4]', () => {
  test('goes only on devices whose company, or one above it, made the signature; others need none [DV4]', async () => {
    const device = await makeDevice(world, { company: below, model: 'RUTX50', firmware: 'RUTX_R_00.07.10' });
    const name = 'RUTX_R_00.07.14_WEBUI.bin';
    const file = await give(name);
    expect((await update(file, [device.id])).data).toMatchObject({ will_run: 1 });
    const added = await admin.post('/signing-keys', { name: 'Release', public_key: signer.publicKey });
    expect(added.status).toBe(201);
    const refused = { will_run: 0, skipped: [{ reason: 'NOT_SIGNED', count: 1 }] };
    expect((await update(file, [device.id])).data).toMatchObject(refused);

    const put = (signature: string) => admin.put(`/files/${file}/signature`, { signature });
    expect((await put('nonsense')).codes).toEqual(['INVALID_FIELD']);
    await put(signatureOf(name, makeSigner()));
    expect((await update(file, [device.id])).data).toMatchObject(refused);
    await put(signatureOf('another image'));
    expect((await update(file, [device.id])).data).toMatchObject(refused);
    expect((await put(signatureOf(name))).status).toBe(200);
    expect((await admin.get(`/files/${file}`)).data).toMatchObject({ is_signed: true });
    expect((await update(file, [device.id])).data).toMatchObject({ will_run: 1, skipped: [] });

    const stranger = await makeCompany(world);
    const root = await as(world, 'super_admin');
    const elsewhere = await makeDevice(world, { company: stranger, model: 'RUTX50', firmware: 'RUTX_R_00.07.10' });
    const globalFile = await give('RUTX_R_00.07.15_WEBUI.bin');
    expect((await update(globalFile, [device.id])).data).toMatchObject(refused);
    const body = { source: 'file', file_id: globalFile, keep_settings: true, back_within: 15, device_id: [elsewhere.id], dry_run: true };
    expect((await root.post('/devices/updates/firmware', body)).data).toMatchObject({ will_run: 1 });
  });

  test('the newest one is the newest that is signed; what loses its signature while it waits is not sent [DV4]', async () => {
    const device = await makeDevice(world, { company, model: 'TRB500', firmware: 'TRB5_R_00.07.10' });
    const signed = await give('TRB5_R_00.07.12_WEBUI.bin');
    await give('TRB5_R_00.07.13_WEBUI.bin');
    await admin.put(`/files/${signed}/signature`, { signature: signatureOf('TRB5_R_00.07.12_WEBUI.bin') });
    const latest = { source: 'latest', keep_settings: true, back_within: 15, device_id: [device.id] };
    const preview = await admin.post('/devices/updates/firmware', { ...latest, dry_run: true });
    expect(preview.data.groups).toMatchObject([{ group: { version: '00.07.12' } }]);
    await world.ctx.db.updateTable('devices').set({ status: 0 }).where('id', '=', device.id).execute();
    const started = await startJob(world, admin, '/devices/updates/firmware', { ...latest, wait_seconds: 3600 });
    await admin.put(`/files/${signed}/signature`, { signature: '' });
    await world.ctx.db.updateTable('devices').set({ status: 1 }).where('id', '=', device.id).execute();
    await world.clock.advance(120_000);
    await world.ctx.jobs.settled();
    expect(await statesOf(admin, started.meta['job_id'])).not.toContain('sent');
  });

  test('keys are seen, added and removed with rights in the company; the same one twice, or what is none, is refused at its field', async () => {
    const again = await admin.post('/signing-keys', { name: 'Again', public_key: signer.publicKey });
    expect([again.status, again.errors?.[0]?.source]).toEqual([400, 'public_key']);
    const wrong = await admin.post('/signing-keys', { name: 'Wrong', public_key: 'ssh-ed25519 AAAA' });
    expect([wrong.status, wrong.errors?.[0]?.source]).toEqual([400, 'public_key']);
    const [key] = (await admin.get('/signing-keys')).data;
    const stranger = await as(world, 'admin');
    expect((await stranger.get('/signing-keys')).data).toEqual([]);
    expect((await stranger.delete(`/signing-keys/${key.id}`)).status).toBe(404);
    expect((await (await as(world, 'read_only', { company })).post('/signing-keys', { name: 'x', public_key: 'x' })).status).toBe(403);
    expect((await admin.delete(`/signing-keys/${key.id}`)).status).toBe(200);
    const actions = await world.ctx.db.selectFrom('audit').select('action').where('entity', '=', 'signing_key').execute();
    expect(actions.map(({ action }) => action)).toEqual(['signing-keys.new', 'signing-keys.remove']);
  });
});
