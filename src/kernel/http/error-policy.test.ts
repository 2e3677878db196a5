import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { findBehaviour } from './error-policy.ts';

const failure = (status: number, code?: string) =>
  new ApiError({ kind: 'answer', status, items: code ? [{ code, message: 'The text says EMAIL_NOT_VERIFIED.' }] : [] });

test.each([
  [403, 'EMAIL_NOT_VERIFIED', { kind: 'screen', screen: 'email-not-verified' }],
  [403, 'NOT_INVITED_EXTERNAL_USER', { kind: 'screen', screen: 'not-invited-external-user' }],
  [403, 'TERMS_NOT_ACCEPTED', { kind: 'screen', screen: 'terms-not-accepted' }],
  [403, 'MFA_MANDATORY', { kind: 'screen', screen: 'mfa-mandatory' }],
  [401, 'MFA_REQUIRED', { kind: 'prompt-mfa' }],
  [401, 'UNAUTHORIZED', { kind: 'refresh-once' }],
  [401, undefined, { kind: 'refresh-once' }],
  [423, undefined, { kind: 'prompt-password' }],
  [403, 'FORBIDDEN', { kind: 'caller' }],
  [500, undefined, { kind: 'caller' }],
])('status %s with code %s is decided by code, then status, never by text', (status, code, behaviour) => {
  expect(findBehaviour(failure(status, code))).toEqual(behaviour);
});
