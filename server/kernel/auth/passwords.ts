import { hash, verify } from '@node-rs/argon2';
import { PasswordKnown } from './errors.ts';

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

let knownPasswords: Promise<ReadonlySet<string>> | undefined;

async function loadKnownPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map(String));
}

/**
 * The hash of a password that somebody chose for `owner`. Throws PASSWORD_KNOWN at `password` for one out of published breaches (the list is
 * loaded when the first is chosen), for one repeated character, and for the owner's own address.
 */
export async function hashNewPassword(password: string, owner: { email: string }): Promise<string> {
  knownPasswords ??= loadKnownPasswords();
  const plain = password.trim().toLowerCase();
  const isGuessable = /^(.)\1*$/su.test(plain) || plain === owner.email.trim().toLowerCase();
  if (isGuessable || (await knownPasswords).has(plain)) throw new PasswordKnown({}, { source: 'password' });
  return hashPassword(password);
}
