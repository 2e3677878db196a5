import ssh2 from 'ssh2';
import { expect, test } from 'vitest';
import { makeSshKey } from '../../agent/fleet/ssh-key.ts';

test('every key that simulated devices make for themselves can be used, also one that begins with a zero byte', () => {
  // One key of 256 begins with one.
  for (let turn = 0; turn < 2000; turn += 1) {
    const { privateKey, publicKey } = makeSshKey();
    expect(publicKey).toMatch(/^[A-Za-z0-9+/]{68}$/);
    expect(ssh2.utils.parseKey(privateKey)).not.toBeInstanceOf(Error);
  }
});
