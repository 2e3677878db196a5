import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** A key pair as minisign and usign make them. */
export interface Signer {
  /** Content of the `.pub` file. */
  publicKey: string;
  /** Content of the signature file. `hashed`: minisign's `ED`; `usign`: without the trusted comment. */
  sign(content: Buffer, how?: 'hashed' | 'legacy' | 'usign'): string;
}

/** Makes a key pair and signs with it, by the format's description: nothing of the product is used. */
export function makeSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const number = randomBytes(8);
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const line = (algorithm: string, bytes: Buffer) => Buffer.concat([Buffer.from(algorithm), number, bytes]).toString('base64');
  return {
    publicKey: `untrusted comment: minisign public key\n${line('Ed', raw)}\n`,
    sign(content, how = 'hashed') {
      const message = how === 'hashed' ? createHash('blake2b512').update(content).digest() : content;
      const signature = sign(null, message, privateKey);
      const head = `untrusted comment: signature\n${line(how === 'hashed' ? 'ED' : 'Ed', signature)}\n`;
      return how === 'usign' ? head : `${head}${trusted(signature, privateKey)}`;
    },
  };
}

function trusted(signature: Buffer, privateKey: KeyObject): string {
  const comment = 'timestamp:1763900000\tfile:image.bin\thashed';
  const global = sign(null, Buffer.concat([signature, Buffer.from(comment)]), privateKey);
  return `trusted comment: ${comment}\n${global.toString('base64')}\n`;
}
