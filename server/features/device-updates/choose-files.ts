import { sql } from 'kysely';
import { compareVersions } from '../../../schemas/kit/devices/device-capabilities.ts';
import type { Context } from '../../context.ts';
import type { FileType } from '../../db/file-tables.ts';
import { requirePermission, type Actor } from '../../kernel/actor.ts';
import { NotFound } from '../../kernel/errors.ts';
import { visibleFiles } from '../../domain/files/visible-files.ts';
import { isSigned, keysFor } from '../../domain/signatures/signed-files.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { choiceKey, isForModel, versionOf, type FileRef, type UpdateAction, type UpdateInput } from './update-input.ts';

/** What a job keeps of a file. */
export const FILE_COLUMNS = ['files.id', 'files.name', 'files.size', 'files.sha256', 'files.device_model', 'files.version'] as const;

/** The types of files that an action puts on devices. */
export const TYPES_OF: Record<UpdateAction, readonly FileType[]> = {
  update_firmware: ['firmware', 'global_firmware'],
  upload_backup: ['config', 'periodic_backup'],
};

/** The files with these ids as jobs keep them, by id. Throws NOT_FOUND at `sourceOf(id)` for one that the actor does not see, or of another type. */
export async function requireUpdateFiles(
  ctx: Context,
  actor: Actor,
  wanted: readonly { id: number; action: UpdateAction; source: string }[],
): Promise<Map<number, FileRef>> {
  requirePermission(actor, 'view_files');
  const rows = await ctx.reads
    .selectFrom('files')
    .select(FILE_COLUMNS)
    .select('files.type')
    .where('files.id', 'in', ctx.database.tools.idList(wanted.map(({ id }) => id)))
    .where(visibleFiles(actor))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { id, action, source } of wanted) {
    const row = byId.get(id);
    if (!row || !TYPES_OF[action].includes(row.type)) throw new NotFound({}, { source });
  }
  return new Map(rows.map(({ type: _type, ...file }) => [file.id, file]));
}

interface Group {
  company_id: number;
  path: string;
  model: string;
  firmware: string;
}

/** The different companies, models and firmwares among these devices. */
async function groupsOf(ctx: Context, actor: Actor, ids: readonly number[]): Promise<Group[]> {
  return ctx.reads
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select(['devices.company_id', 'companies.path', 'devices.model', 'devices.firmware'])
    .distinct()
    .where('devices.id', 'in', ctx.database.tools.idList(ids))
    .where(isVisible(actor, 'devices'))
    .execute();
}

/** The companies from the top down to the one with this path. */
export const companiesOf = (path: string): number[] => path.split('/').filter(Boolean).map(Number);

/** An image with the company whose it is. */
export type Candidate = FileRef & { company_id: number | null };

function isNewer(file: Candidate, than: Candidate | undefined): boolean {
  const [version, other] = [versionOf(file), than && versionOf(than)];
  if (!version) return false;
  return !other || compareVersions(version, other) > 0;
}

/**
 * The newest image for each of these devices: of those of its company, of the companies above it, and of the whole installation. `isStable`: only of
 * those that are marked as stable. Where a company, or one above it, has keys for firmware, only what is signed by one of them.
 */
export async function chooseNewest(
  ctx: Context,
  actor: Actor,
  ids: readonly number[],
  { isStable }: { isStable: boolean },
): Promise<{ files: FileRef[]; choice: UpdateInput['choice'] }> {
  const groups = await groupsOf(ctx, actor, ids);
  const companies = [...new Set(groups.flatMap(({ path }) => companiesOf(path)))];
  const candidates = await ctx.reads
    .selectFrom('files')
    .select(FILE_COLUMNS)
    .select(['files.company_id', 'files.content_key', 'files.signature'])
    .where('files.type', 'in', TYPES_OF.update_firmware)
    .where('files.version', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('files.company_id', 'is', null),
        ...(companies.length > 0 ? [eb('files.company_id', 'in', ctx.database.tools.idList(companies))] : []),
      ]),
    )
    .$if(isStable, (query) => query.where(sql<boolean>`files.is_stable = 1`))
    .orderBy('files.id', 'desc')
    .execute();
  const keys = await keysFor(ctx, new Map(groups.map(({ company_id, path }) => [company_id, path])));
  const files = new Map<number, { place: number; file: FileRef }>();
  const choice: UpdateInput['choice'] = {};
  for (const group of groups) {
    const owners = new Set<number | null>([null, ...companiesOf(group.path)]);
    const own = keys.get(group.company_id) ?? [];
    let best: (typeof candidates)[number] | undefined;
    for (const file of candidates) {
      if (!owners.has(file.company_id) || !isForModel(file, group) || !isNewer(file, best)) continue;
      if (own.length === 0 || (await isSigned(ctx, file, own))) best = file;
    }
    if (!best) continue;
    const { company_id: _owner, content_key: _content, signature: _signature, ...file } = best;
    const place = files.get(file.id)?.place ?? files.size;
    files.set(file.id, { place, file });
    choice[choiceKey(group)] = place;
  }
  return { files: [...files.values()].map(({ file }) => file), choice };
}

/** The newest backup that each of these devices has sent, as far as there is one and the actor sees it. */
export async function chooseOwnBackups(
  ctx: Context,
  actor: Actor,
  ids: readonly number[],
): Promise<{ files: FileRef[]; choice: UpdateInput['choice'] }> {
  requirePermission(actor, 'view_files');
  const rows = await ctx.reads
    .selectFrom('files')
    .innerJoin('devices', (join) => join.onRef('devices.id', '=', 'files.device_id').onRef('devices.company_id', '=', 'files.company_id'))
    .select(FILE_COLUMNS)
    .select('files.device_id')
    .where('files.device_id', 'in', ctx.database.tools.idList(ids))
    .where('files.type', 'in', TYPES_OF.upload_backup)
    .where(visibleFiles(actor))
    .orderBy('files.id', 'desc')
    .execute();
  const files: FileRef[] = [];
  const choice: UpdateInput['choice'] = {};
  for (const { device_id, ...file } of rows) {
    if (device_id === null || choice[device_id] !== undefined) continue;
    choice[device_id] = files.push(file) - 1;
  }
  return { files, choice };
}
