import type { EnrolmentCode, FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { can, type Actor, type Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { HOUR, wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { hashEnrolmentCode, makeEnrolmentCode } from '../../domain/devices/enrolment-code.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import { isVisible, requireCompany } from '../../kernel/tenancy.ts';
import { installCommands } from './install-command.ts';
import { presentCode, type CodeRow } from './present.ts';
import { findCode, findCodeTags } from './repo.ts';

const HINT_LENGTH = 4;

/** What the history keeps: all but the code's hash. */
function historyOf(row: Row<'enrolment_codes'>) {
  const { code_hash: _hash, ...kept } = row;
  return kept;
}

async function requireFittingTags(trx: Trx, actor: Actor, tagIds: readonly number[], companyPath: string): Promise<void> {
  if (tagIds.length === 0) return;
  const tags = await trx
    .selectFrom('tags')
    .innerJoin('companies', 'companies.id', 'tags.company_id')
    .select(['tags.id', 'tags.name', 'companies.path'])
    .where('tags.id', 'in', tagIds)
    .where(isVisible(actor, 'tags'))
    .execute();
  for (const [index, id] of tagIds.entries()) {
    const tag = tags.find((candidate) => candidate.id === id);
    if (!tag) throw new NotFound({}, { source: `tag_id.${index}` });
    if (companyPath.startsWith(tag.path)) continue;
    const message = `The tag "${tag.name}" belongs to another company: use tags of the chosen company or of one above it.`;
    throw new InvalidFields([{ source: 'tag_id', message, params: { tag: tag.name } }]);
  }
}

export type MadeCode = EnrolmentCode & { command_wget: string };

/** Makes a code; the answer is the only place where it is ever shown. Throws NOT_FOUND or INVALID_FIELD at the company or the tags. */
export async function createCode(ctx: Context, { actor, origin }: Caller, input: FormData['devices/add']): Promise<MadeCode> {
  const at = ctx.clock.now();
  const code = makeEnrolmentCode();
  const row = await inTransaction(ctx.db, async (trx): Promise<CodeRow> => {
    const company = await requireCompany(trx, actor, input.company_id, 'company_id');
    const tagIds = input.tag_id ?? [];
    await requireFittingTags(trx, actor, tagIds, company.path);
    const made = await trx
      .insertInto('enrolment_codes')
      .values({
        company_id: company.id,
        code_hash: hashEnrolmentCode(code),
        hint: code.slice(-HINT_LENGTH),
        uses: input.uses,
        used: 0,
        expires_at: at + input.expires_in_hours * HOUR,
        tag_ids: JSON.stringify(tagIds),
        name_prefix: input.name_prefix ?? '',
        created_by: actor.userId,
        revoked_at: null,
        created_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'enrolment-codes.new',
        entity: 'enrolment_code',
        entityId: made.id,
        entityName: `…${made.hint}`,
        companyId: company.id,
        before: null,
        after: historyOf(made),
      },
    ]);
    return { ...made, company_name: company.name, user_name: actor.name };
  });
  const url = ctx.publicUrl();
  const commands = installCommands(url, code);
  const tags = await findCodeTags(ctx.reads, actor, [row]);
  return { ...presentCode(row, tags.get(row.id) ?? [], at, { code, command: commands.curl, url }), command_wget: commands.wget };
}

interface JoinedDevice {
  id: number;
  name: string;
  status: number | null;
  quarantine: string | null;
  created_at: string;
}

/** One code with the devices that joined by it, as far as the actor sees them. Throws NOT_FOUND. */
export async function getCode(ctx: Context, actor: Actor, id: number): Promise<EnrolmentCode & { devices: JoinedDevice[] }> {
  const row = await findCode(ctx.reads, actor, id);
  if (!row) throw new NotFound({});
  const tags = await findCodeTags(ctx.reads, actor, [row]);
  const devices = !can(actor, 'view_devices')
    ? []
    : await ctx.reads
        .selectFrom('devices')
        .select(['devices.id', 'devices.name', 'devices.status', 'devices.quarantine', 'devices.created_at'])
        .where('devices.enrolment_code_id', '=', id)
        .where(isVisible(actor, 'devices'))
        .orderBy('devices.id')
        .execute();
  return {
    ...presentCode(row, tags.get(row.id) ?? [], ctx.clock.now()),
    devices: devices.map((device) => ({ ...device, created_at: wireTime(device.created_at) })),
  };
}

/** Withdraws a code: nothing joins by it any more; what joined stays. Throws NOT_FOUND. */
export async function withdrawCode(ctx: Context, { actor, origin }: Caller, id: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const found = await findCode(trx, actor, id);
    if (!found) throw new NotFound({});
    if (found.revoked_at !== null) return;
    const { company_name: _company, company_path: _path, user_name: _user, ...row } = found;
    await trx.updateTable('enrolment_codes').set({ revoked_at: at }).where('id', '=', id).execute();
    await writeAudit(trx, { actor, origin, at }, [
      {
        action: 'enrolment-codes.remove',
        entity: 'enrolment_code',
        entityId: id,
        entityName: `…${row.hint}`,
        companyId: row.company_id,
        before: historyOf(row),
        after: historyOf({ ...row, revoked_at: at }),
      },
    ]);
  });
}
