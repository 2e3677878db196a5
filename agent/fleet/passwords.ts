import { hash } from 'node:crypto';
import { failed, fieldsOf, ok, type Result } from './protocol.ts';

/** The passwords of a simulated device, as hashes by user. */
export class Passwords {
  private readonly hashes = new Map([
    ['root', ''],
    ['admin', ''],
  ]);

  /** Sets one as the verb `password` asks for it; `takes` is false for a device that keeps its former one. */
  set(body: string, takes: boolean): Result {
    const fields = fieldsOf(body);
    const user = fields.get('user') ?? '';
    const password = fields.get('password') ?? '';
    if (!/^[!-~]+$/.test(password)) return failed('This is no password');
    if (!this.hashes.has(user)) return failed(`There is no user ${user} with a password`);
    if (!takes) return failed(`The former password of ${user} is in force: it does not work`);
    this.hashes.set(user, hash('sha256', password));
    return ok(`The new password of ${user} works`);
  }

  /** Whether this is the password of a user. */
  isOf(user: string, password: string): boolean {
    return this.hashes.get(user) === hash('sha256', password);
  }
}
