import { createHash, randomBytes } from 'node:crypto';
import type { Row } from '../../server/db/schema.ts';
import { makeUser, type Place, type RoleChoice } from './factories.ts';

let counter = 0;
const next = (): number => (counter += 1);

/** A service account; a guest by default. */
export async function makeServiceAccount(
  place: Place,
  values: { company?: { id: number }; role?: RoleChoice; name?: string } = {},
): Promise<Row<'users'>> {
  const user = await makeUser(place, {
    role: values.role ?? 'read_only',
    username: values.name ?? `Robot ${next()}`,
    ...(values.company ? { company: values.company } : {}),
  });
  await place.ctx.db.insertInto('service_accounts').values({ user_id: user.id, company_id: user.company_id, description: '' }).execute();
  return user;
}

/** An access token; `secret` is what a program sends. */
export async function makeAccessToken(
  place: Place,
  values: { user: Pick<Row<'users'>, 'id' | 'company_id'>; scopes?: string[]; name?: string; expires_at?: number },
): Promise<Row<'access_tokens'> & { secret: string }> {
  const now = place.ctx.clock.now();
  const secret = `canopy_${randomBytes(20).toString('hex')}`;
  const row = await place.ctx.db
    .insertInto('access_tokens')
    .values({
      user_id: values.user.id,
      company_id: values.user.company_id,
      name: values.name ?? `Token ${next()}`,
      token_hash: createHash('sha256').update(secret).digest('hex'),
      token_hint: secret.slice(0, 11),
      scopes: JSON.stringify(values.scopes ?? ['view_devices']),
      expires_at: values.expires_at ?? now + 24 * 3_600_000,
      last_used_at: null,
      last_used_ip: null,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...row, secret };
}

/** An application of others; `secret` is what it shows for its name. */
export async function makeApplication(
  place: Place,
  values: { company: { id: number }; name?: string; redirect_uris?: string[]; scopes?: string[]; isConfidential?: boolean },
): Promise<Row<'applications'> & { secret: string }> {
  const now = place.ctx.clock.now();
  const secret = randomBytes(20).toString('hex');
  const row = await place.ctx.db
    .insertInto('applications')
    .values({
      company_id: values.company.id,
      name: values.name ?? `Application ${next()}`,
      description: '',
      client_id: randomBytes(16).toString('base64url'),
      secret_hash: values.isConfidential === false ? null : createHash('sha256').update(secret).digest('hex'),
      redirect_uris: JSON.stringify(values.redirect_uris ?? ['https://app.example/done']),
      scopes: JSON.stringify(values.scopes ?? ['devices:read', 'tags:read']),
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...row, secret };
}
