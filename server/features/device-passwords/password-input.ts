import type { Context } from '../../context.ts';
import { openSealed, sealText } from '../../kernel/seal.ts';

export interface PasswordRules {
  length: number;
  special: boolean;
}

/** What a job that changes passwords keeps. */
export interface PasswordInput {
  mode: 'generate' | 'set';
  /** `list`: downloaded once by who started it · `vault`: shown one at a time; neither: who set them knows them. */
  keep: readonly ('list' | 'vault')[];
  user: string;
  /** How generated ones are; `each` by the device's id, where it differs. */
  rules: PasswordRules;
  each: Record<string, PasswordRules>;
  /** Passwords that are set, sealed: `{ all }` or `{ each }`; empty for generated ones, and once they are forgotten. */
  secrets: string;
  plan_id?: number;
  /** When its plan was due: two runs are not the same job. */
  due_at?: number;
}

export interface GivenPasswords {
  all?: string;
  /** By the device's id. */
  each?: Record<string, string>;
}

/** What a target keeps of the new password until its device has answered. */
export interface PasswordFacts {
  sealed: string;
}

export type KeyContext = Pick<Context, 'secretKey'>;

export const PASSWORD_KIND = 'set_passwords';
/** What the passwords in a job's input are sealed for. */
export const PASSWORD_JOB_PURPOSE = 'device password job';

/** What a password of one device is sealed for: it opens for no other device. */
export const passwordPurpose = (deviceId: number): string => `device password ${deviceId}`;

export function sealGiven(ctx: KeyContext, given: GivenPasswords): string {
  return sealText(ctx.secretKey, PASSWORD_JOB_PURPOSE, JSON.stringify(given));
}

export const isPasswordFacts = (facts: unknown): facts is PasswordFacts =>
  typeof facts === 'object' && facts !== null && 'sealed' in facts && typeof facts.sealed === 'string';

/** The password that was sealed for a device. Throws Error for another device's. */
export function openPassword({ secretKey }: KeyContext, deviceId: number, sealed: string): string {
  return openSealed(secretKey, passwordPurpose(deviceId), sealed);
}
