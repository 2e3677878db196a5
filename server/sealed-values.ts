import type { Trx } from './db/schema.ts';
import { PASSWORD_JOB_PURPOSE, PASSWORD_KIND, passwordPurpose } from './features/device-passwords/password-input.ts';
import { CHANGE_SET_PURPOSE } from './features/device-api/change-sets.ts';
import { CONFIGURE_KIND, CONFIGURE_PURPOSE } from './features/device-api/configure-kinds.ts';
import { TEMPLATE_KIND } from './features/device-api/template-kind.ts';
import { VARIABLE_PURPOSE } from './features/device-api/variables.ts';
import { ESIM_KIND, ESIM_PURPOSE } from './features/esim/esim-kind.ts';
import { DELIVERY_PURPOSE } from './domain/webhooks/queue-delivery.ts';
import { FORM_JOB_PURPOSE } from './features/forms/job-kind.ts';
import { TASK_KIND } from './features/tasks/kind.ts';
import { TASK_PURPOSE } from './features/tasks/run-input.ts';
import { VPN_HUB_PURPOSE, VPN_PKI_PURPOSE } from './features/vpn/store.ts';
import { VPN_KIND, VPN_SYNC_PURPOSE } from './features/vpn/sync.ts';
import { HOTSPOT_KIND, HOTSPOT_PURPOSE } from './features/wireless/hotspot-kind.ts';
import { VOUCHERS_PURPOSE } from './features/wireless/vouchers.ts';
import { totpPurpose } from './kernel/auth/second-factors.ts';
import { mailServerPurpose } from './kernel/mail/mailer-for.ts';
import { MAIL_PURPOSE } from './kernel/mail/send-mail.ts';
import { TUNNEL_KEY_NAME, TUNNEL_KEY_PURPOSE } from './domain/remote/host-key.ts';
import { credentialsPurpose } from './domain/remote/live-session.ts';

/** What is to be kept in the place of a sealed text; the same text leaves it untouched. */
export type RewriteSealed = (purpose: string, sealed: string) => string;

async function rewriteColumns(trx: Trx, rewrite: RewriteSealed): Promise<void> {
  for (const { user_id, sealed_secret } of await trx.selectFrom('second_factors').select(['user_id', 'sealed_secret']).execute()) {
    if (sealed_secret === null) continue;
    const next = rewrite(totpPurpose(user_id), sealed_secret);
    if (next !== sealed_secret)
      await trx.updateTable('second_factors').set({ sealed_secret: next }).where('user_id', '=', user_id).execute();
  }
  const servers = await trx.selectFrom('email_configurations').select(['id', 'company_id', 'sealed_password']).execute();
  for (const { id, company_id, sealed_password } of servers) {
    const next = rewrite(mailServerPurpose(company_id), sealed_password);
    if (next !== sealed_password)
      await trx.updateTable('email_configurations').set({ sealed_password: next }).where('id', '=', id).execute();
  }
  for (const { id, sealed_text } of await trx.selectFrom('mail_log').select(['id', 'sealed_text']).execute()) {
    if (sealed_text === null) continue;
    const next = rewrite(MAIL_PURPOSE, sealed_text);
    if (next !== sealed_text) await trx.updateTable('mail_log').set({ sealed_text: next }).where('id', '=', id).execute();
  }
  for (const { id, sealed_body } of await trx.selectFrom('webhook_deliveries').select(['id', 'sealed_body']).execute()) {
    const next = rewrite(DELIVERY_PURPOSE, sealed_body);
    if (next !== sealed_body) await trx.updateTable('webhook_deliveries').set({ sealed_body: next }).where('id', '=', id).execute();
  }
}

async function rewriteRemote(trx: Trx, rewrite: RewriteSealed): Promise<void> {
  for (const { id, sealed_credentials } of await trx.selectFrom('remote_entries').select(['id', 'sealed_credentials']).execute())
    if (sealed_credentials !== null)
      await trx
        .updateTable('remote_entries')
        .set({ sealed_credentials: rewrite(credentialsPurpose(id), sealed_credentials) })
        .where('id', '=', id)
        .execute();
  const kept = await trx.selectFrom('installation').select('value').where('key', '=', TUNNEL_KEY_NAME).executeTakeFirst();
  if (kept)
    await trx
      .updateTable('installation')
      .set({ value: rewrite(TUNNEL_KEY_PURPOSE, kept.value) })
      .where('key', '=', TUNNEL_KEY_NAME)
      .execute();
}

async function rewriteHubs(trx: Trx, rewrite: RewriteSealed): Promise<void> {
  for (const { id, sealed_key, sealed_pki } of await trx.selectFrom('vpn_hubs').select(['id', 'sealed_key', 'sealed_pki']).execute())
    await trx
      .updateTable('vpn_hubs')
      .set({
        sealed_key: sealed_key === '' ? '' : rewrite(VPN_HUB_PURPOSE, sealed_key),
        sealed_pki: sealed_pki === null ? null : rewrite(VPN_PKI_PURPOSE, sealed_pki),
      })
      .where('id', '=', id)
      .execute();
}

async function rewriteVouchers(trx: Trx, rewrite: RewriteSealed): Promise<void> {
  for (const { id, sealed_codes } of await trx.selectFrom('hotspot_vouchers').select(['id', 'sealed_codes']).execute())
    await trx
      .updateTable('hotspot_vouchers')
      .set({ sealed_codes: rewrite(VOUCHERS_PURPOSE, sealed_codes) })
      .where('id', '=', id)
      .execute();
}

async function rewriteConfiguration(trx: Trx, rewrite: RewriteSealed): Promise<void> {
  const variables = await trx.selectFrom('configuration_variables').select(['id', 'value']).where('is_secret', '=', 1).execute();
  for (const { id, value } of variables)
    await trx
      .updateTable('configuration_variables')
      .set({ value: rewrite(VARIABLE_PURPOSE, value) })
      .where('id', '=', id)
      .execute();
  const sets = await trx.selectFrom('change_sets').select(['id', 'sealed_edits', 'sealed_undo']).execute();
  for (const { id, sealed_edits, sealed_undo } of sets)
    await trx
      .updateTable('change_sets')
      .set({
        sealed_edits: rewrite(CHANGE_SET_PURPOSE, sealed_edits),
        sealed_undo: sealed_undo === null ? null : rewrite(CHANGE_SET_PURPOSE, sealed_undo),
      })
      .where('id', '=', id)
      .execute();
  const targets = await trx
    .selectFrom('job_targets')
    .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
    .select(['job_targets.id', 'job_targets.facts'])
    .where('jobs.kind', '=', TEMPLATE_KIND)
    .where('job_targets.facts', 'is not', null)
    .execute();
  for (const { id, facts } of targets) {
    const kept: { sealed: string } = JSON.parse(facts ?? '{}');
    const sealed = rewrite(CONFIGURE_PURPOSE, kept.sealed);
    await trx
      .updateTable('job_targets')
      .set({ facts: JSON.stringify({ ...kept, sealed }) })
      .where('id', '=', id)
      .execute();
  }
}

/** What the secrets in the input of jobs are sealed for, by the kind of job. */
const JOB_PURPOSES: Record<string, string> = {
  form: FORM_JOB_PURPOSE,
  [PASSWORD_KIND]: PASSWORD_JOB_PURPOSE,
  [ESIM_KIND]: ESIM_PURPOSE,
  [TASK_KIND]: TASK_PURPOSE,
  [CONFIGURE_KIND]: CONFIGURE_PURPOSE,
  [VPN_KIND]: VPN_SYNC_PURPOSE,
  [HOTSPOT_KIND]: HOTSPOT_PURPOSE,
};

async function rewriteJobs(trx: Trx, rewrite: RewriteSealed): Promise<void> {
  for (const { id, kind, input } of await trx
    .selectFrom('jobs')
    .select(['id', 'kind', 'input'])
    .where('kind', 'in', Object.keys(JOB_PURPOSES))
    .execute()) {
    const kept: { secrets?: unknown } = JSON.parse(input);
    if (typeof kept.secrets !== 'string' || kept.secrets === '') continue;
    const next = rewrite(JOB_PURPOSES[kind] ?? '', kept.secrets);
    if (next !== kept.secrets)
      await trx
        .updateTable('jobs')
        .set({ input: JSON.stringify({ ...kept, secrets: next }) })
        .where('id', '=', id)
        .execute();
  }
}

async function rewritePasswords(trx: Trx, rewrite: RewriteSealed): Promise<void> {
  const kept = await trx
    .selectFrom('device_password_values')
    .innerJoin('device_passwords', 'device_passwords.id', 'device_password_values.password_id')
    .select(['device_password_values.id', 'device_passwords.device_id', 'device_password_values.sealed_value'])
    .execute();
  for (const { id, device_id, sealed_value } of kept)
    await trx
      .updateTable('device_password_values')
      .set({ sealed_value: rewrite(passwordPurpose(device_id), sealed_value) })
      .where('id', '=', id)
      .execute();
  for (const { id, device_id, sealed_value } of await trx
    .selectFrom('password_list_items')
    .select(['id', 'device_id', 'sealed_value'])
    .execute())
    await trx
      .updateTable('password_list_items')
      .set({ sealed_value: rewrite(passwordPurpose(device_id), sealed_value) })
      .where('id', '=', id)
      .execute();
  const targets = await trx
    .selectFrom('job_targets')
    .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
    .select(['job_targets.id', 'job_targets.device_id', 'job_targets.facts'])
    .where('jobs.kind', '=', PASSWORD_KIND)
    .where('job_targets.facts', 'is not', null)
    .execute();
  for (const { id, device_id, facts } of targets) {
    const { sealed }: { sealed: string } = JSON.parse(facts ?? '{}');
    await trx
      .updateTable('job_targets')
      .set({ facts: JSON.stringify({ sealed: rewrite(passwordPurpose(device_id), sealed) }) })
      .where('id', '=', id)
      .execute();
  }
}

/** Goes through everything that the database holds sealed, and keeps what `rewrite` makes of it. */
export async function rewriteSealed(trx: Trx, rewrite: RewriteSealed): Promise<void> {
  await rewriteColumns(trx, rewrite);
  await rewriteJobs(trx, rewrite);
  await rewritePasswords(trx, rewrite);
  await rewriteHubs(trx, rewrite);
  await rewriteVouchers(trx, rewrite);
  await rewriteConfiguration(trx, rewrite);
  await rewriteRemote(trx, rewrite);
}
