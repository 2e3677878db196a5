import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { freePort } from './free-port.ts';

/** Who signs in at the provider next. */
export interface ExternalPerson {
  subject: string;
  email: string;
  isVerified: boolean;
}

export interface IdentityProvider extends AsyncDisposable {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Who signs in at the provider from now on, with a browser that comes by itself. */
  expect(person: ExternalPerson): void;
  /** Lets a browser go to the provider's page and sign in there as this person; answers the address that it is sent back to. */
  signIn(url: string, person: ExternalPerson): Promise<URL>;
}

/** A real OpenID Connect provider on loopback that demands PKCE and sends people back to this address. */
export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const [clientId, clientSecret] = ['canopy', 'a secret of the client, long enough'];
  const people = new Map<string, ExternalPerson>();
  let present = '';
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_ctx: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: people.get(id)?.email, email_verified: people.get(id)?.isVerified }),
    }),
    async loadExistingGrant() {
      const grant = new provider.Grant({ clientId, accountId: present });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  const expect = (person: ExternalPerson): void => {
    people.set(person.subject, person);
    present = person.subject;
  };
  const handle = provider.callback();
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/interaction/')) void provider.interactionFinished(request, response, { login: { accountId: present } });
    else handle(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(Number(new URL(issuer).port), '127.0.0.1', resolve);
  });
  return {
    issuer,
    clientId,
    clientSecret,
    expect,
    async signIn(url, person) {
      expect(person);
      const jar = new Map<string, string>();
      let next = new URL(url);
      while (!next.href.startsWith(redirectUri)) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(next, { redirect: 'manual', headers: { cookie, connection: 'close' } });
        for (const line of response.headers.getSetCookie()) {
          const [pair = ''] = line.split(';');
          jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
        }
        const location = response.headers.get('location');
        if (!location) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
        next = new URL(location, next);
      }
      return next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
