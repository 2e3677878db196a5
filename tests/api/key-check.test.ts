import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadKeyOf } from '../../server/key-check.ts';
import { rotateKey } from '../../server/rotate-key.ts';
import { as } from '../helpers/as.ts';
import { turnTotpOn } from '../helpers/second-factor.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const OTHER = Buffer.alloc(32, 7).toString('base64');

const fileOf = (world: World): string => world.ctx.config.secretKeyFile;
/** What a start does with the database at hand and the key in the file. */
const start = (world: World): Promise<Buffer> => loadKeyOf(world.ctx.db, fileOf(world));

async function sealSomething(world: World): Promise<void> {
  await turnTotpOn(world, await as(world, 'admin'));
}

/** Makes the database one of an earlier version, which kept nothing to know its key by. */
async function forgetCheck(world: World): Promise<void> {
  await world.ctx.db.deleteFrom('installation').where('key', '=', 'secret_key_check').execute();
}

describe('the key and the database belong together [OP1]', () => {
  test('without its key an existing database is refused in words, and no new key is made [OP1]', async () => {
    await using world = await makeWorld();
    rmSync(fileOf(world));
    await expect(start(world)).rejects.toThrow(
      `SECRET_KEY_FILE="${fileOf(world)}": there is no key, and this database was used with one. Put the right one back from its back-up`,
    );
    expect(existsSync(fileOf(world))).toBe(false);
  });

  test('so it is with another key, which stays as it is [OP1]', async () => {
    await using world = await makeWorld();
    writeFileSync(fileOf(world), OTHER);
    await expect(start(world)).rejects.toThrow('another key than the one this database was used with');
    expect(readFileSync(fileOf(world), 'utf8')).toBe(OTHER);
  });

  test('a database of an earlier version takes the key that opens what is sealed, and knows it from then on [OP1]', async () => {
    await using world = await makeWorld();
    await sealSomething(world);
    await forgetCheck(world);
    const right = readFileSync(fileOf(world));
    writeFileSync(fileOf(world), OTHER);
    await expect(start(world)).rejects.toThrow('another key');
    rmSync(fileOf(world));
    await expect(start(world)).rejects.toThrow('there is no key');
    writeFileSync(fileOf(world), right);
    expect((await start(world)).equals(world.ctx.secretKey)).toBe(true);
    await world.ctx.db.deleteFrom('second_factors').execute();
    writeFileSync(fileOf(world), OTHER);
    await expect(start(world)).rejects.toThrow('another key');
  });

  test('one that holds nothing sealed takes whichever key is there, or a new one [OP1]', async () => {
    await using world = await makeWorld();
    await forgetCheck(world);
    rmSync(fileOf(world));
    const made = await start(world);
    expect((await start(world)).equals(made)).toBe(true);
    await forgetCheck(world);
    writeFileSync(fileOf(world), OTHER);
    expect((await start(world)).toString('base64')).toBe(OTHER);
  });

  test('when the key is lost, a new one can be put in its place [OP1]', async () => {
    await using world = await makeWorld();
    await sealSomething(world);
    writeFileSync(fileOf(world), OTHER);
    expect(await rotateKey(world.ctx.config)).toEqual({ sealedAgain: 0, unreadable: 1 });
    expect((await start(world)).toString('base64')).toBe(readFileSync(fileOf(world), 'utf8').trim());
  });

  test('a change of the key that was interrupted is named as what it is [OP1]', async () => {
    await using world = await makeWorld();
    const former = readFileSync(fileOf(world));
    await rotateKey(world.ctx.config);
    writeFileSync(`${fileOf(world)}.next`, readFileSync(fileOf(world)));
    writeFileSync(fileOf(world), former);
    await expect(start(world)).rejects.toThrow('A change of the key was interrupted: run "node server/rotate-key.ts" again');
  });
});
