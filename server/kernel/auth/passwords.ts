import { hash, verify } from '@node-rs/argon2';

// OWASP's smallest recommended setting of argon2id, which is the library's default kind: 19 MiB, two passes.
const SETTINGS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** The argon2id hash of a password, with its salt and settings in it. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, SETTINGS);
}

let unknownUserHash: Promise<string> | undefined;

/** Whether the password belongs to the hash. Without a hash (nobody has this address) it takes the same time and answers false. */
export async function isPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  unknownUserHash ??= hashPassword('nobody has this password');
  const isMatch = await verify(passwordHash ?? (await unknownUserHash), password);
  return isMatch && passwordHash !== undefined;
}
