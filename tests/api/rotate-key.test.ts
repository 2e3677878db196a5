import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rotateKey } from '../../server/rotate-key.ts';
import { textOfKept } from '../../server/kernel/mail/send-mail.ts';
import { as, asUser, send } from '../helpers/as.ts';
import { makeCompany, makeDevice, PASSWORD } from '../helpers/factories.ts';
import { answer, startJob } from '../helpers/jobs.ts';
import { codeOf, proofOf, turnTotpOn } from '../helpers/second-factor.ts';
import { login, ORIGIN } from '../helpers/sign-in.ts';
import { makeWorld, type World } from '../helpers/world.ts';

/** Every row of every table as text. */
async function contents(world: World): Promise<string> {
  const tables = await world.ctx.db.introspection.getTables();
  const rows = await Promise.all(
    tables.map(({ name }) =>
      world.ctx.db
        .selectFrom(name as 'users')
        .selectAll()
        .execute(),
    ),
  );
  return JSON.stringify(rows);
}

const keyIn = (file: string): Buffer => Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');

/** A person with an app as second factor, and a mail that waits in the mailbox. */
async function start() {
  const world = await makeWorld();
  const caller = await as(world, 'admin');
  const { secret, recoveryCodes } = await turnTotpOn(world, caller);
  await caller.post('/users/invite', { company_id: caller.user.company_id, email: 'kari@example.org' });
  return { world, caller, secret, recoveryCodes, file: world.ctx.config.secretKeyFile };
}

/** What a start reads: the key that is in the file. */
const startAnew = (world: World): void => void keyIn(world.ctx.config.secretKeyFile).copy(world.ctx.secretKey);

const keptMail = (world: World) =>
  world.ctx.db.selectFrom('mail_log').select('sealed_text').where('sealed_text', 'is not', null).executeTakeFirstOrThrow();

describe('another secret key [OP1]', () => {
  test('opens all that was sealed, ends what came from the former one, and says so in the history [OP1]', async () => {
    const { world, caller, secret, recoveryCodes, file } = await start();
    await using _end = world;
    const former = keyIn(file);
    const sealed = await keptMail(world);
    const text = textOfKept(world.ctx, sealed);
    expect(await rotateKey(world.ctx.config)).toEqual({ sealedAgain: 2, unreadable: 0 });
    expect(keyIn(file).equals(former)).toBe(false);
    expect([statSync(file).mode & 0o777, existsSync(`${file}.next`)]).toEqual([0o600, false]);
    await expect(keptMail(world).then((row) => textOfKept(world.ctx, row))).rejects.toThrow('unable to authenticate');

    startAnew(world);
    expect(textOfKept(world.ctx, await keptMail(world))).toBe(text);
    expect((await caller.get('/user')).status, 'sessions end').toBe(401);
    const asked = await login(world, caller.user.email, PASSWORD);
    const answer = (code: string) =>
      send(world, 'POST', '/account/login', {
        body: { email: caller.user.email, password: PASSWORD, ...proofOf(asked, code) },
        headers: ORIGIN,
      });
    expect((await answer(String(recoveryCodes[0]))).codes, 'recovery codes end').toEqual(['CONFIRMATION_FAILED']);
    expect((await answer(codeOf(world, secret))).status, 'the app goes on').toBe(200);
    const rows = await world.ctx.db.selectFrom('audit').select(['actor_id', 'after']).where('action', '=', 'system.rotate-key').execute();
    expect(rows).toEqual([{ actor_id: null, after: '{"sealedAgain":2,"unreadable":0}' }]);
  });

  test('a run that was interrupted after it wrote the database is finished by the next one, with the same key [OP1]', async () => {
    const { world, file } = await start();
    await using _end = world;
    const former = readFileSync(file);
    await rotateKey(world.ctx.config);
    const next = readFileSync(file);
    writeFileSync(`${file}.next`, next);
    writeFileSync(file, former);
    expect(await rotateKey(world.ctx.config)).toEqual({ sealedAgain: 2, unreadable: 0 });
    expect(readFileSync(file)).toEqual(next);
  });

  test('what no key opens is counted and left as it is; without a key there is nothing to replace [OP1]', async () => {
    const { world, file } = await start();
    await using _end = world;
    const before = await keptMail(world);
    writeFileSync(file, Buffer.alloc(32, 7).toString('base64'));
    expect(await rotateKey(world.ctx.config)).toEqual({ sealedAgain: 0, unreadable: 2 });
    expect(await keptMail(world)).toEqual(before);
    const nowhere = join(world.ctx.config.dataDir, 'no-such.key');
    await expect(rotateKey({ ...world.ctx.config, secretKeyFile: nowhere })).rejects.toThrow('there is no key to replace yet');
    expect(existsSync(nowhere)).toBe(false);
  });

  test('a back-up of the database holds neither the key nor anything that was sealed [OP1]', async () => {
    const { world, secret, recoveryCodes, file } = await start();
    await using _end = world;
    const key = keyIn(file);
    const text = await contents(world);
    for (const form of ['base64', 'base64url', 'hex', 'latin1'] as const) expect(text).not.toContain(key.toString(form));
    for (const one of [secret, ...recoveryCodes]) expect(text).not.toContain(one);
    if (world.ctx.database.file === undefined) return;
    const bytes = readFileSync(world.ctx.database.file);
    expect([bytes.includes(key), bytes.includes(key.toString('base64'))]).toEqual([false, false]);
  });

  test('opens passwords of devices: in the vault, on lists, and on their way [OP1]', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const admin = await as(world, 'admin', { company });
    const devices = [
      await makeDevice(world, { company }),
      await makeDevice(world, { company }),
      await makeDevice(world, { company }),
    ] as const;
    const own = { mode: 'set', username: 'root', password: 'Quay-side-7', password_confirmation: 'Quay-side-7' };
    const change = (device: { id: number }, more: object) =>
      startJob(world, admin, '/devices/passwords', { ...own, ...more, device_id: [device.id] });
    await change(devices[0], { keep_in_vault: true });
    await answer(world, devices[0], {});
    const list = await change(devices[1], { show_password: true });
    await answer(world, devices[1], {});
    await change(devices[2], { keep_in_vault: true });
    expect(await rotateKey(world.ctx.config)).toMatchObject({ unreadable: 0 });
    startAnew(world);
    await answer(world, devices[2], {});
    const again = await asUser(world, admin.user);
    for (const device of [devices[0], devices[2]]) {
      const { data } = await again.get('/devices/passwords', { device_id: device.id });
      const shown = await again.post(`/devices/passwords/${data[0]?.id}/show`, { reason: 'After the rotation' });
      expect(shown.data).toMatchObject({ is_proven: true, passwords: [{ password: 'Quay-side-7' }] });
    }
    expect((await again.post(`/tasks/${String(list.meta['job_id'])}/download/passwords`)).text).toContain('Quay-side-7');
  });
});
