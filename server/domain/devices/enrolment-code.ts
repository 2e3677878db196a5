import { createHash, randomInt } from 'node:crypto';

// Without the characters that people mistake for each other: 0 O, 1 I L, U V.
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTWXYZ';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** A new enrolment code such as `K7QM-2W9D-XR4T-HB63`: 77 random bits. */
export function makeEnrolmentCode(): string {
  const group = (): string => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** What is stored of an enrolment code: SHA-256, in hex, of the code in capitals. */
export function hashEnrolmentCode(code: string): string {
  return createHash('sha256').update(code.trim().toUpperCase()).digest('hex');
}
