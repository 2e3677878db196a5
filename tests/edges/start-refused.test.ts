import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServerProcess } from '../helpers/server-process.ts';

test('OP1 a start without the key of its database stops with one line that says so', async () => {
  await using server = await startServerProcess();
  await server.stop();
  const before = server.output();
  rmSync(join(server.dataDir, 'secret.key'));
  await expect(server.start()).rejects.toThrow('the server stopped with 1');
  expect(server.output().slice(before.length).trim().split('\n')).toEqual([expect.stringMatching(/^SECRET_KEY_FILE=.* there is no key, /)]);
});
