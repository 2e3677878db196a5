import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { makeSigner } from '../../../tests/helpers/minisign.ts';
import { isSignedBy, readPublicKey, readSignature } from './signature.ts';

const content = Buffer.from('test');
const open = async (bytes = content) => Readable.from([bytes.subarray(0, 2), bytes.subarray(2)]);

async function check(keyText: string, signatureText: string, bytes = content): Promise<boolean | undefined> {
  const [key, signature] = [readPublicKey(keyText), readSignature(signatureText)];
  return key && signature ? isSignedBy(signature, key, () => open(bytes)) : undefined;
}

test('the key and the signature that minisign publishes for the text “test” are right together', async () => {
  const key = 'RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3';
  const signature = [
    'untrusted comment: signature from minisign secret key',
    'RUQf6LRCGA9i559r3g7V1qNyJDApGip8MfqcadIgT9CuhV3EMhHoN1mGTkUidF/z7SrlQgXdy8ofjb7bNJJylDOocrCo8KLzZwo=',
    'trusted comment: timestamp:1556193335\tfile:test',
    'y/rUw2y8/hOUYjZU71eHp/Wo1KZ40fGy2VJEDl34XMJM+TX48Ss/17u3IvIfbVR1FkZZSNCisQbuQY+bHwhEBg==',
  ].join('\n');
  expect(await check(key, signature)).toBe(true);
  expect(await check(key, signature, Buffer.from('Test'))).toBe(false);
  expect(await check(key, signature.replace('1556193335', '1556193336'))).toBe(false);
});

describe.each(['hashed', 'legacy', 'usign'] as const)('a %s signature', (how) => {
  const signer = makeSigner();
  const signature = signer.sign(content, how);

  test('is right for its content and its key only', async () => {
    expect(await check(signer.publicKey, signature)).toBe(true);
    expect(await check(signer.publicKey, signature, Buffer.from('tesT'))).toBe(false);
    expect(await check(makeSigner().publicKey, signature)).toBe(false);
  });

  test('is nothing when a part of it is missing or too long', () => {
    const [comment = '', line = '', ...rest] = signature.split('\n');
    for (const text of ['', line, `${comment}\n`, `${comment}\n${line.slice(4)}`, `${comment}\n${line}${line}`, `${signature}more\nmore\n`])
      expect(readSignature(text), text).toBeUndefined();
    if (how === 'hashed') expect(readSignature([comment, line].join('\n'))).toBeUndefined();
    expect(rest.length).toBeGreaterThan(0);
  });
});

test('what is no public key is none', () => {
  const { publicKey } = makeSigner();
  for (const text of ['', 'x', 'RWQf', `${publicKey}${publicKey}`, '-----BEGIN PUBLIC KEY-----', 'A'.repeat(56)])
    expect(readPublicKey(text), text).toBeUndefined();
  expect(readPublicKey(publicKey)?.keyId).toMatch(/^[0-9A-F]{16}$/);
});
