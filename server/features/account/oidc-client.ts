import type { Configuration } from 'openid-client';
import type { OidcSetting } from '../../config.ts';

/** What is remembered of a sign-in while the person is at the provider. */
export interface OidcFlow {
  state: string;
  nonce: string;
  verifier: string;
}

/** Who the provider says that somebody is. */
export interface ExternalIdentity {
  issuer: string;
  subject: string;
  /** Lower case; undefined unless the provider has verified it. */
  verifiedEmail: string | undefined;
}

interface SignInOptions {
  /** The person must show again who they are, even if the provider knows them still. */
  isAgain?: boolean;
}
/** Between showing it at the provider and being back here. */
const AGAIN_SECONDS = 120;

/** The identity provider of this installation, by the code flow with PKCE. */
export interface OidcClient {
  /** Where to send the browser. Throws Error when the provider cannot be reached. */
  begin(redirectUri: string, options?: SignInOptions): Promise<{ url: string; flow: OidcFlow }>;
  /** Who came back with this address. Throws Error for anything but a right and fresh answer to `flow`. */
  finish(address: URL, flow: OidcFlow, options?: SignInOptions): Promise<ExternalIdentity>;
}

/** Makes the client; what the provider says of itself is asked for at the first use, and again after a failure. */
export function createOidcClient({ issuer, clientId, clientSecret }: OidcSetting): OidcClient {
  let discovered: Promise<Configuration> | undefined;

  async function discover(): Promise<Configuration> {
    const { allowInsecureRequests, discovery, None } = await import('openid-client');
    // Settings let plain http pass on this machine only.
    const options = issuer.startsWith('http:') ? { execute: [allowInsecureRequests] } : {};
    return discovery(new URL(issuer), clientId, clientSecret, clientSecret === undefined ? None() : undefined, options);
  }
  async function load() {
    discovered ??= discover();
    try {
      return { client: await import('openid-client'), configuration: await discovered };
    } catch (error) {
      discovered = undefined;
      throw error;
    }
  }

  return {
    async begin(redirectUri, { isAgain = false } = {}) {
      const { client, configuration } = await load();
      const flow = { state: client.randomState(), nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email',
        code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
        state: flow.state,
        nonce: flow.nonce,
        ...(isAgain ? { prompt: 'login', max_age: '0' } : {}),
      });
      return { url: url.href, flow };
    },
    async finish(address, { state, nonce, verifier }, { isAgain = false } = {}) {
      const { client, configuration } = await load();
      const checks = {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
        ...(isAgain ? { maxAge: AGAIN_SECONDS } : {}),
      };
      const tokens = await client.authorizationCodeGrant(configuration, address, checks);
      const claims = tokens.claims();
      if (!claims) throw new Error('The identity provider sent no id token.');
      // Many providers send the address only when it is asked for.
      const known = 'email' in claims ? claims : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      const isVerified = known['email_verified'] === true && typeof known['email'] === 'string';
      return {
        issuer: claims.iss,
        subject: claims.sub,
        verifiedEmail: isVerified ? String(known['email']).trim().toLowerCase() : undefined,
      };
    },
  };
}
