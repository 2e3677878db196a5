import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { afterCommit } from '../../kernel/db/database.ts';
import { historyOf } from '../../domain/files/present-file.ts';
import type { EndedTarget, JobKind } from '../../domain/jobs/types.ts';

const SEND_SECONDS = 10 * 60;

export interface BackupInput {
  rule_id: number;
  /** When it was due: two runs of a rule are not the same job. */
  due_at: number;
}

/** Marks what came as of its rule. */
async function markFiles(ctx: Context, trx: Trx, ruleId: number, targets: readonly EndedTarget[]): Promise<void> {
  const ids = targets.filter(({ state }) => state === 'ok').map(({ id }) => id);
  if (ids.length === 0) return;
  await trx
    .updateTable('files')
    .set({ backup_rule_id: ruleId })
    .where('id', 'in', (targetFiles) =>
      targetFiles
        .selectFrom('job_targets')
        .select('file_id')
        .where('id', 'in', ctx.database.tools.idList(ids))
        .where('file_id', 'is not', null),
    )
    .execute();
}

/** Removes what a rule has made of these devices beyond the newest ones that it keeps. */
async function dropOldFiles(
  ctx: Context,
  trx: Trx,
  rule: Row<'backup_rules'>,
  job: Row<'jobs'>,
  deviceIds: readonly number[],
): Promise<void> {
  const rows = await trx
    .selectFrom('files')
    .selectAll()
    .where('backup_rule_id', '=', rule.id)
    .where('device_id', 'in', ctx.database.tools.idList(deviceIds))
    .orderBy('id', 'desc')
    .execute();
  const old = [...Map.groupBy(rows, (row) => row.device_id).values()].flatMap((files) => files.slice(rule.keep));
  if (old.length === 0) return;
  const ids = old.map(({ id }) => id);
  await trx.deleteFrom('files').where('id', 'in', ids).execute();
  const at = ctx.clock.now();
  await writeAudit(
    trx,
    { actor: null, origin: JSON.parse(job.origin), at },
    old.map((row) => ({
      action: 'files.remove',
      entity: 'file',
      entityId: row.id,
      entityName: row.name,
      companyId: row.company_id,
      before: historyOf({ ...row, company_name: null, device_name: null }),
      after: null,
    })),
  );
  const companies = await trx
    .selectFrom('companies')
    .select(['id', 'path'])
    .where('id', 'in', [...new Set(old.flatMap(({ company_id }) => company_id ?? []))])
    .execute();
  const pathOf = new Map(companies.map(({ id, path }) => [id, path]));
  afterCommit(trx, async () => {
    for (const { id, company_id, content_key } of old) {
      await ctx.files.remove(content_key);
      const path = company_id === null ? undefined : pathOf.get(company_id);
      if (path !== undefined && company_id !== null) ctx.live.publishBelow(path, 'files', 'FileRemoved', { id, company_id });
    }
  });
}

/** Backups of a rule: as many of each device as it keeps. */
export const periodicBackupKind: JobKind<BackupInput> = {
  name: 'periodic_backup',
  permission: 'execute_device_updates',
  isRoutine: true,
  skipReason: () => undefined,
  runs: {
    on: 'device',
    steps: (_input, device) => [
      {
        name: 'send',
        verb: 'send',
        timeoutSeconds: SEND_SECONDS,
        body: 'what=backup\n',
        receives: { type: 'periodic_backup', name: `backup-${device.serial || device.id}-{time}.tar.gz` },
      },
    ],
    async ended(trx, { ctx, job, targets }) {
      const { rule_id } = JSON.parse(job.input) as BackupInput;
      const rule = await trx.selectFrom('backup_rules').selectAll().where('id', '=', rule_id).executeTakeFirst();
      if (!rule) return;
      await markFiles(ctx, trx, rule.id, targets);
      const done = targets.filter(({ state }) => state === 'ok').map(({ device_id }) => device_id);
      if (done.length > 0) await dropOldFiles(ctx, trx, rule, job, done);
    },
  },
};
