import ssh2 from 'ssh2';

/** The length of an Ed25519 key as SSH writes it: its kind and 32 bytes, each behind their length. */
const KEY_BYTES = 51;

/**
 * A new Ed25519 key: the private one as an OpenSSH file, the public one in base64.
 *
 * ssh2 writes a key that begins with a zero byte, one of 256, without that byte, and no program reads it: such a key is not taken.
 */
export function makeSshKey(): { privateKey: string; publicKey: string } {
  for (;;) {
    const made = ssh2.utils.generateKeyPairSync('ed25519');
    const [, publicKey = ''] = made.public.split(' ');
    if (Buffer.from(publicKey, 'base64').length === KEY_BYTES) return { privateKey: made.private, publicKey };
  }
}
