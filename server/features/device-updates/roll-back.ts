import type { Context } from '../../context.ts';
import { compareVersions, parseFirmware } from '../../../schemas/kit/devices/device-capabilities.ts';
import { requirePermission, type Actor } from '../../kernel/actor.ts';
import { defineError } from '../../kernel/errors.ts';
import { requireJob } from '../../kernel/job-scope.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { FILE_COLUMNS, TYPES_OF, companiesOf, type Candidate } from './choose-files.ts';
import { CHANGED, entryNumberOf, isForModel, runsVersion, versionOf, type Entry, type FileRef, type UpdateInput } from './update-input.ts';
import { isFacts, updateKinds } from './update-kinds.ts';

const NothingToRollBack = defineError('NOTHING_TO_ROLL_BACK');

const KINDS: ReadonlySet<string> = new Set(updateKinds.map(({ name }) => name));

/** The job that puts devices back, and which devices those are. */
export interface WayBack {
  kind: string;
  input: UpdateInput;
  deviceIds: number[];
}

/** A device that a roll-out succeeded on, as it is now and as it was. */
interface Done {
  id: number;
  company_id: number;
  path: string;
  model: string;
  firmware: string;
  /** What it got. */
  entry: Entry;
  /** What it ran before. */
  before: string | undefined;
  /** When it began with that. */
  since: number;
}

async function findDone(ctx: Context, actor: Actor, jobId: number, input: UpdateInput): Promise<Done[]> {
  const rows = await ctx.reads
    .selectFrom('job_targets')
    .innerJoin('devices', 'devices.id', 'job_targets.device_id')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select(['devices.id', 'devices.company_id', 'devices.model', 'devices.firmware', 'companies.path'])
    .select(['job_targets.facts', 'job_targets.started_at', 'job_targets.finished_at'])
    .where('job_targets.job_id', '=', jobId)
    .where('job_targets.state', '=', 'ok')
    .where(isVisible(actor, 'devices'))
    // What goes back already, or went.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('job_targets as later')
            .innerJoin('jobs as child', 'child.id', 'later.job_id')
            .select('later.id')
            .whereRef('later.device_id', '=', 'job_targets.device_id')
            .where('child.parent_job_id', '=', jobId)
            .where('later.state', 'in', ['queued', 'sent', 'running', 'ok']),
        ),
      ),
    )
    .orderBy('devices.id')
    .execute();
  return rows.flatMap(({ facts: text, started_at, finished_at, ...device }): Done[] => {
    const facts: unknown = text === null ? undefined : JSON.parse(text);
    const known = isFacts(facts) ? facts : undefined;
    const entry = input.entries[known?.entry ?? entryNumberOf(input, device) ?? 0];
    return entry ? [{ ...device, entry, before: known?.firmware, since: started_at ?? finished_at ?? 0 }] : [];
  });
}

/** Entries and who gets which, as they are found. */
class Choice {
  readonly entries: Entry[] = [];
  readonly choice: UpdateInput['choice'] = {};
  private readonly places = new Map<string, number>();

  give(deviceId: number, entry: Entry): void {
    const key = [entry.action, entry.file.id, entry.replaces].join();
    const place = this.places.get(key) ?? this.entries.push(entry) - 1;
    this.places.set(key, place);
    this.choice[deviceId] = place;
  }

  leave(deviceId: number): void {
    this.choice[deviceId] = CHANGED;
  }
}

async function findImages(ctx: Context, devices: readonly Done[]): Promise<Candidate[]> {
  const companies = [...new Set(devices.flatMap(({ path }) => companiesOf(path)))];
  return ctx.reads
    .selectFrom('files')
    .select(FILE_COLUMNS)
    .select('files.company_id')
    .where('files.type', 'in', TYPES_OF.update_firmware)
    .where('files.version', 'is not', null)
    .where((eb) => eb.or([eb('files.company_id', 'is', null), eb('files.company_id', 'in', ctx.database.tools.idList(companies))]))
    .orderBy('files.id', 'desc')
    .execute();
}

/** The image of what a device ran before: of its company, of those above, or of the whole installation. */
function formerImage(device: Done, candidates: readonly Candidate[]): FileRef | undefined {
  const wanted = device.before === undefined ? undefined : parseFirmware(device.before);
  if (!wanted) return undefined;
  const owners = new Set<number | null>([null, ...companiesOf(device.path)]);
  const found = candidates.find((file) => {
    const version = versionOf(file);
    return owners.has(file.company_id) && isForModel(file, device) && version !== undefined && compareVersions(version, wanted) === 0;
  });
  if (!found) return undefined;
  const { company_id: _owner, ...file } = found;
  return file;
}

async function putFirmwareBack(ctx: Context, devices: readonly Done[], choice: Choice): Promise<void> {
  if (devices.length === 0) return;
  const candidates = await findImages(ctx, devices);
  for (const device of devices) {
    const { version } = device.entry.file;
    const isChanged = version === null ? device.firmware === device.before : !runsVersion(device, version);
    const file = formerImage(device, candidates);
    if (isChanged) choice.leave(device.id);
    else if (file)
      choice.give(device.id, {
        action: 'update_firmware',
        file,
        keep: true,
        offline: true,
        ...(version === null ? {} : { replaces: version }),
      });
  }
}

/** Devices that a later job gave settings to. */
async function findRestoredSince(ctx: Context, jobId: number, ids: readonly number[]): Promise<Set<number>> {
  const rows = await ctx.reads
    .selectFrom('job_targets')
    .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
    .select('job_targets.device_id')
    .distinct()
    .where('job_targets.device_id', 'in', ctx.database.tools.idList(ids))
    .where('job_targets.state', '=', 'ok')
    .where('jobs.id', '>', jobId)
    .where('jobs.kind', 'in', ['upload_backup', 'update_devices', 'first_contact'])
    .execute();
  return new Set(rows.map((row) => row.device_id));
}

/** The newest backup that each device sent before it got other settings. */
async function putSettingsBack(ctx: Context, jobId: number, devices: readonly Done[], choice: Choice): Promise<void> {
  if (devices.length === 0) return;
  const ids = devices.map(({ id }) => id);
  const changed = await findRestoredSince(ctx, jobId, ids);
  const files = await ctx.reads
    .selectFrom('files')
    .select(FILE_COLUMNS)
    .select(['files.device_id', 'files.company_id', 'files.created_at'])
    .where('files.device_id', 'in', ctx.database.tools.idList(ids))
    .where('files.type', 'in', TYPES_OF.upload_backup)
    .orderBy('files.id', 'desc')
    .execute();
  const byDevice = Map.groupBy(files, (file) => file.device_id);
  for (const device of devices) {
    if (changed.has(device.id)) {
      choice.leave(device.id);
      continue;
    }
    const former = byDevice
      .get(device.id)
      ?.find((file) => file.company_id === device.company_id && file.created_at <= device.since && file.id !== device.entry.file.id);
    if (!former) continue;
    const { device_id: _device, company_id: _company, created_at: _created, ...file } = former;
    choice.give(device.id, { action: 'upload_backup', file, keep: true, offline: true });
  }
}

/**
 * How the devices that a roll-out succeeded on get back what they had: the image of the version that they ran, or the newest backup of before. What
 * got something else since is left as it is. Throws NOT_FOUND, FORBIDDEN, and NOTHING_TO_ROLL_BACK for a job that changed no device or was undone already.
 */
export async function wayBack(ctx: Context, actor: Actor, jobId: number): Promise<WayBack> {
  const job = await requireJob(ctx, actor, jobId);
  if (!KINDS.has(job.kind)) throw new NothingToRollBack({});
  requirePermission(actor, 'view_files');
  const input: UpdateInput = JSON.parse(job.input);
  const devices = await findDone(ctx, actor, jobId, input);
  if (devices.length === 0) throw new NothingToRollBack({});
  const choice = new Choice();
  const [firmware = [], settings = []] = (['update_firmware', 'upload_backup'] as const).map((action) =>
    devices.filter(({ entry }) => entry.action === action),
  );
  await putFirmwareBack(ctx, firmware, choice);
  await putSettingsBack(ctx, jobId, settings, choice);
  const { back_within, wan } = input.gate;
  return {
    kind: job.kind,
    input: {
      rolls_back: jobId,
      entries: choice.entries,
      by: 'device',
      choice: choice.choice,
      gate: { back_within, wan },
      allow_downgrade: true,
      allow_other_model: false,
    },
    deviceIds: devices.map(({ id }) => id),
  };
}
