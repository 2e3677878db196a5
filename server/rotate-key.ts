import { randomBytes } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { ConfigError, loadConfig, type Config } from './config.ts';
import type { Trx } from './db/schema.ts';
import { DELIVERY_PURPOSE } from './features/forms/deliveries.ts';
import { FORM_JOB_PURPOSE } from './features/forms/job-kind.ts';
import { writeAudit } from './kernel/audit.ts';
import { totpPurpose } from './kernel/auth/second-factors.ts';
import { inTransaction, openDatabase } from './kernel/db/database.ts';
import { mailServerPurpose } from './kernel/mail/mailer-for.ts';
import { MAIL_PURPOSE } from './kernel/mail/send-mail.ts';
import { openSealed, sealText } from './kernel/seal.ts';
import { loadSecretKey } from './kernel/secret-key.ts';

/** What became of the secrets in the database. */
export interface Rotated {
  sealedAnew: number;
  /** Those that neither key opens: sealed with a key that was lost before. They are left as they are. */
  unreadable: number;
}

type Reseal = (purpose: string, sealed: string) => string;

/** Opens with the former key, or with the new one what an interrupted run has done already. */
function makeReseal(former: Buffer, next: Buffer, counted: Rotated): Reseal {
  return (purpose, sealed) => {
    for (const key of [former, next]) {
      try {
        const again = sealText(next, purpose, openSealed(key, purpose, sealed));
        counted.sealedAnew += 1;
        return again;
      } catch {
        // The other key, then.
      }
    }
    counted.unreadable += 1;
    return sealed;
  };
}

async function resealColumns(trx: Trx, reseal: Reseal): Promise<void> {
  for (const { user_id, sealed_secret } of await trx.selectFrom('second_factors').select(['user_id', 'sealed_secret']).execute()) {
    if (sealed_secret === null) continue;
    const sealed = reseal(totpPurpose(user_id), sealed_secret);
    await trx.updateTable('second_factors').set({ sealed_secret: sealed }).where('user_id', '=', user_id).execute();
  }
  const servers = await trx.selectFrom('email_configurations').select(['id', 'company_id', 'sealed_password']).execute();
  for (const { id, company_id, sealed_password } of servers) {
    const sealed = reseal(mailServerPurpose(company_id), sealed_password);
    await trx.updateTable('email_configurations').set({ sealed_password: sealed }).where('id', '=', id).execute();
  }
  for (const { id, sealed_text } of await trx
    .selectFrom('mail_log')
    .select(['id', 'sealed_text'])
    .where('sealed_text', 'is not', null)
    .execute())
    await trx
      .updateTable('mail_log')
      .set({ sealed_text: reseal(MAIL_PURPOSE, sealed_text ?? '') })
      .where('id', '=', id)
      .execute();
  for (const { id, sealed_body } of await trx.selectFrom('webhook_deliveries').select(['id', 'sealed_body']).execute())
    await trx
      .updateTable('webhook_deliveries')
      .set({ sealed_body: reseal(DELIVERY_PURPOSE, sealed_body) })
      .where('id', '=', id)
      .execute();
}

async function resealJobs(trx: Trx, reseal: Reseal): Promise<void> {
  for (const { id, input } of await trx.selectFrom('jobs').select(['id', 'input']).where('kind', '=', 'form').execute()) {
    const kept: { secrets?: unknown } = JSON.parse(input);
    if (typeof kept.secrets !== 'string' || kept.secrets === '') continue;
    const sealed = JSON.stringify({ ...kept, secrets: reseal(FORM_JOB_PURPOSE, kept.secrets) });
    await trx.updateTable('jobs').set({ input: sealed }).where('id', '=', id).execute();
  }
}

/** What was made with the former key and cannot be made anew without its owner. */
async function dropDerived(trx: Trx): Promise<void> {
  await trx.deleteFrom('recovery_codes').execute();
  await trx.deleteFrom('mfa_challenges').execute();
  await trx.deleteFrom('sessions').execute();
}

/**
 * Puts a new secret key in the place of the former one, with the server stopped: what the database holds sealed is sealed anew, all sessions and
 * recovery codes end. A run that was interrupted is finished by the next one. Throws ConfigError where there is no key yet.
 */
export async function rotateKey(config: Pick<Config, 'secretKeyFile' | 'databaseUrl' | 'dataDir'>): Promise<Rotated> {
  const { secretKeyFile } = config;
  if (!existsSync(secretKeyFile)) throw new ConfigError(`SECRET_KEY_FILE="${secretKeyFile}": there is no key to replace yet`);
  const former = loadSecretKey(secretKeyFile);
  const nextFile = `${secretKeyFile}.next`;
  const next = loadSecretKey(nextFile);
  const counted: Rotated = { sealedAnew: 0, unreadable: 0 };
  await using database = openDatabase({ url: config.databaseUrl, dataDir: config.dataDir });
  await inTransaction(database.db, async (trx) => {
    const reseal = makeReseal(former, next, counted);
    await resealColumns(trx, reseal);
    await resealJobs(trx, reseal);
    await dropDerived(trx);
    const origin = { ip: '', requestId: randomBytes(8).toString('hex'), userAgent: '' };
    const entry = { action: 'system.rotate-key', entity: 'installation', entityId: null, entityName: '', companyId: null };
    await writeAudit(trx, { actor: null, origin, at: Date.now() }, [{ ...entry, before: null, after: { ...counted } }]);
  });
  renameSync(nextFile, secretKeyFile);
  return counted;
}

if (import.meta.main) {
  try {
    const { sealedAnew, unreadable } = await rotateKey(loadConfig());
    process.stdout.write(`The secret key is a new one. Sealed anew: ${sealedAnew}; could not be opened: ${unreadable}.\n`);
    process.stdout.write('Everybody signs in again, and makes new recovery codes.\n');
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
