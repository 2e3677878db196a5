import { randomBytes } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { ConfigError, loadConfig, type Config } from './config.ts';
import type { Trx } from './db/schema.ts';
import { writeAudit } from './kernel/audit.ts';
import { inTransaction, openDatabase } from './kernel/db/database.ts';
import { openSealed, sealText } from './kernel/seal.ts';
import { loadSecretKey } from './kernel/secret-key.ts';
import { replaceKeyCheck } from './key-check.ts';
import { rewriteSealed, type RewriteSealed } from './sealed-values.ts';

/** What became of the secrets in the database. */
export interface Rotated {
  sealedAgain: number;
  /** Those that neither key opens: sealed with a key that was lost before. They are left as they are. */
  unreadable: number;
}

/** Opens with the former key, or with the new one what an interrupted run has done already. */
function makeReseal(former: Buffer, next: Buffer, counted: Rotated): RewriteSealed {
  return (purpose, sealed) => {
    for (const key of [former, next]) {
      try {
        const again = sealText(next, purpose, openSealed(key, purpose, sealed));
        counted.sealedAgain += 1;
        return again;
      } catch {
        // The other key, then.
      }
    }
    counted.unreadable += 1;
    return sealed;
  };
}

/** What was made with the former key and cannot be made again without its owner. */
async function dropDerived(trx: Trx): Promise<void> {
  await trx.deleteFrom('recovery_codes').execute();
  await trx.deleteFrom('mfa_challenges').execute();
  await trx.deleteFrom('sessions').execute();
}

/**
 * Puts a new secret key in the place of the former one, with the server stopped: what the database holds sealed is sealed again, all sessions and
 * recovery codes end. A run that was interrupted is finished by the next one. Throws ConfigError where there is no key yet.
 */
export async function rotateKey(config: Pick<Config, 'secretKeyFile' | 'databaseUrl' | 'dataDir'>): Promise<Rotated> {
  const { secretKeyFile } = config;
  if (!existsSync(secretKeyFile)) throw new ConfigError(`SECRET_KEY_FILE="${secretKeyFile}": there is no key to replace yet`);
  const former = loadSecretKey(secretKeyFile);
  const nextFile = `${secretKeyFile}.next`;
  const next = loadSecretKey(nextFile);
  const counted: Rotated = { sealedAgain: 0, unreadable: 0 };
  await using database = openDatabase({ url: config.databaseUrl, dataDir: config.dataDir });
  await inTransaction(database.db, async (trx) => {
    await rewriteSealed(trx, makeReseal(former, next, counted));
    await replaceKeyCheck(trx, next);
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
    const { sealedAgain, unreadable } = await rotateKey(loadConfig());
    process.stdout.write(`The secret key is a new one. Sealed again: ${sealedAgain}; could not be opened: ${unreadable}.\n`);
    process.stdout.write('Everybody signs in again, and makes new recovery codes.\n');
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
