/** docs/behaviour.md section 9. */
const LENGTH = 16;
// Without I, l, 1, O and 0, which are read wrongly from paper.
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789-_.!#%+=';

/** A random password of 16 characters from the system's generator; every character is equally likely (about 96 bits). */
export function makePassword(): string {
  const limit = 256 - (256 % ALPHABET.length);
  let password = '';
  while (password.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      // A byte beyond the last full round would make the first characters likelier.
      if (byte < limit && password.length < LENGTH) password += ALPHABET[byte % ALPHABET.length];
    }
  }
  return password;
}
