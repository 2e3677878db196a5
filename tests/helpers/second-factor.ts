import { Secret, TOTP } from 'otpauth';
import type { Answer, Caller } from './as.ts';
import type { World } from './world.ts';

/** What an authenticator app shows for this secret now. */
export function codeOf(world: Pick<World, 'clock'>, secret: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: world.clock.now() });
}

/** Turns an authenticator app on for a person, through the API, and moves on to its next code. */
export async function turnTotpOn(world: World, caller: Caller): Promise<{ secret: string; recoveryCodes: string[] }> {
  const started = await caller.put('/mfa', { method: 'totp' });
  const { secret } = started.data as { secret: string };
  const confirmed = await caller.post('/mfa', { code: codeOf(world, secret) });
  if (confirmed.status !== 200) throw new Error(`the second factor was not turned on: ${confirmed.text}`);
  await world.clock.advance(30_000);
  return { secret, recoveryCodes: confirmed.data.recovery_codes };
}

/** The members that answer a challenge. */
export function proofOf(answer: Answer, code: string): { session_code: string; session_id: unknown; session_uuid: unknown } {
  return { session_code: code, session_id: answer.meta['session_id'], session_uuid: answer.meta['session_uuid'] };
}
