import type { ApiError } from './api-error.ts';

/** The screens that take the place of the console (docs/behaviour.md section 8, Codes). */
export type FailureScreen = 'email-not-verified' | 'not-invited-external-user' | 'mfa-mandatory' | 'terms-not-accepted';

export type Behaviour =
  | { kind: 'screen'; screen: FailureScreen }
  | { kind: 'prompt-mfa' }
  | { kind: 'prompt-password' }
  | { kind: 'refresh-once' }
  /** Everything not listed: the caller decides. */
  | { kind: 'caller' };

// docs/behaviour.md section 8: what a code or a status means wherever it turns up. Codes come before the status.
const BY_CODE: Record<string, Behaviour> = {
  EMAIL_NOT_VERIFIED: { kind: 'screen', screen: 'email-not-verified' },
  NOT_INVITED_EXTERNAL_USER: { kind: 'screen', screen: 'not-invited-external-user' },
  MFA_MANDATORY: { kind: 'screen', screen: 'mfa-mandatory' },
  TERMS_NOT_ACCEPTED: { kind: 'screen', screen: 'terms-not-accepted' },
  MFA_REQUIRED: { kind: 'prompt-mfa' },
  PASSWORD_REQUIRED: { kind: 'prompt-password' },
};
const BY_STATUS: Record<number, Behaviour> = {
  401: { kind: 'refresh-once' },
  423: { kind: 'prompt-password' },
};

/** What a failed answer asks for; decided by its first code, else by its status, never by its text. */
export function findBehaviour(error: ApiError): Behaviour {
  const byCode = error.code === undefined ? undefined : BY_CODE[error.code];
  return byCode ?? BY_STATUS[error.status ?? 0] ?? { kind: 'caller' };
}
