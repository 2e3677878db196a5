import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';

/** Whether this browser can use passkeys on this page. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function';
}

/** Lets the authenticator sign a challenge; answers JSON for the server. Throws what the browser says, also when the user gives up. */
export async function signWithPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<string> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return JSON.stringify(await startAuthentication({ optionsJSON: options }));
}

/** Lets the authenticator make a passkey; answers JSON for the server. Throws what the browser says, also when the user gives up. */
export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<string> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return JSON.stringify(await startRegistration({ optionsJSON: options }));
}

/** Whether the user, not a fault, ended it. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');
}
