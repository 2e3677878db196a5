import type { SamplePlace } from './sample-place.ts';
import type { World } from './world.ts';

/** An invitation, a suppressed address, a mail server with a template, and a log of impersonation. */
export async function makeMailRecords(world: World, { company, user, marker }: SamplePlace): Promise<Record<string, number>> {
  const { db } = world.ctx;
  const now = world.clock.now();
  const invitation = await db
    .insertInto('invitations')
    .values({
      email: `${marker.toLowerCase()}-invited@example.org`,
      company_id: company.id,
      role_id: 4,
      is_distributor: 0,
      token_hash: `${marker} ${company.id}`,
      invited_by: user.id,
      inviter_company_id: company.id,
      sent_at: null,
      mail_error: null,
      expires_at: now + 1000,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const suppressed = await db
    .insertInto('suppressed_emails')
    .values({ email: `${marker.toLowerCase()}-gone-${company.id}@example.org`, company_id: company.id, reason: marker, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const configuration = await db
    .insertInto('email_configurations')
    .values({
      company_id: company.id,
      name: marker,
      host: 'mail.example.org',
      port: 587,
      security: 'starttls',
      email: `${marker.toLowerCase()}@example.org`,
      username: marker,
      sealed_password: marker,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  // Without the marker: companies below send in these words.
  await db
    .insertInto('email_templates')
    .values({ company_id: company.id, kind: 'invitation', language: 'en', subject: 'Welcome', text: '{url}', updated_at: now })
    .execute();
  const impersonation = await db
    .insertInto('impersonation_logs')
    .values({
      actor_id: user.id,
      actor_name: marker,
      user_id: user.id,
      user_name: marker,
      company_id: company.id,
      reason: marker,
      ip: '127.0.0.1',
      session_id: `${marker} ${company.id}`,
      started_at: now,
      expires_at: now + 1000,
      ended_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return {
    'users/invitations': invitation.id,
    'users/impersonation-logs': impersonation.id,
    'system/suppressed-emails': suppressed.id,
    'email-configurations': configuration.id,
  };
}
