import { createPublicKey, generateKeyPairSync, randomBytes, createPrivateKey } from 'node:crypto';
import type { Context } from '../../context.ts';
import { openSealed, sealText } from '../../kernel/seal.ts';

/** What the host key of tunnels is sealed for. */
export const TUNNEL_KEY_PURPOSE = 'tunnel host key';
export const TUNNEL_KEY_NAME = 'tunnel_host_key';

const KIND = 'ssh-ed25519';
const BLOCK = 8;

function field(data: string | Buffer): Buffer {
  const bytes = Buffer.from(data);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

interface Pair {
  seed: Buffer;
  publicKey: Buffer;
}

function pairOf(pkcs8: string): Pair {
  const key = createPrivateKey(pkcs8);
  const { d = '' } = key.export({ format: 'jwk' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return { seed: Buffer.from(d, 'base64url'), publicKey: Buffer.from(x, 'base64url') };
}

/** The key as `known_hosts` has it, without its kind. */
function blobOf({ publicKey }: Pair): Buffer {
  return Buffer.concat([field(KIND), field(publicKey)]);
}

/** The key in the format of OpenSSH (PROTOCOL.key), the only one that the SSH library reads for this kind. */
function privateTextOf(pair: Pair): string {
  const blob = blobOf(pair);
  const check = randomBytes(4);
  const secret = Buffer.concat([check, check, blob, field(Buffer.concat([pair.seed, pair.publicKey])), field('')]);
  const padding = Buffer.from(Array.from({ length: (BLOCK - (secret.length % BLOCK)) % BLOCK }, (_, index) => index + 1));
  const one = Buffer.from([0, 0, 0, 1]);
  const whole = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    field('none'),
    field('none'),
    field(''),
    one,
    field(blob),
    field(Buffer.concat([secret, padding])),
  ]);
  const lines = whole.toString('base64').match(/.{1,70}/g) ?? [];
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

async function readSealed(ctx: Context): Promise<string> {
  const read = () => ctx.db.selectFrom('installation').select('value').where('key', '=', TUNNEL_KEY_NAME).executeTakeFirst();
  const kept = await read();
  if (kept) return kept.value;
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const value = sealText(ctx.secretKey, TUNNEL_KEY_PURPOSE, pem);
  // Of two processes that make one at the same time, the first one's is taken by both.
  await ctx.db
    .insertInto('installation')
    .values({ key: TUNNEL_KEY_NAME, value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return (await read())?.value ?? value;
}

/** The key by which devices know this installation: made at first need, the same for all its processes, sealed in the database. */
export async function tunnelHostKey(ctx: Context): Promise<{ privateText: string; publicText: string }> {
  const pair = pairOf(openSealed(ctx.secretKey, TUNNEL_KEY_PURPOSE, await readSealed(ctx)));
  return { privateText: privateTextOf(pair), publicText: blobOf(pair).toString('base64') };
}
