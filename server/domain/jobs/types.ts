import type { Context } from '../../context.ts';
import type { SelectionInput } from '../../../schemas/kit/form/types.ts';
import type { PermissionName } from '../../../schemas/_generated/contract.ts';
import type { FileType } from '../../db/file-tables.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { DeviceVerb } from '../../edges/mqtt/types.ts';
import type { Actor, Origin } from '../../kernel/actor.ts';

export type SkipReason =
  | 'OFFLINE'
  | 'NOT_ACTIVATED'
  | 'QUARANTINED'
  | 'NO_RIGHT'
  | 'UNSUPPORTED'
  | 'ALREADY_RUNNING'
  | 'GONE'
  | 'EXPIRED'
  | 'WRONG_MODEL'
  | 'DOWNGRADE'
  | 'UP_TO_DATE'
  | 'NO_FILE'
  | 'CHANGED_SINCE'
  | 'NOT_SIGNED'
  | 'PASSWORD_UNFIT'
  | 'WRONG_FIRMWARE'
  | 'NOT_READ'
  | 'VALUE_MISSING'
  | 'OUTSIDE_WINDOW';

/** What becomes of devices outside their maintenance window: they wait until it opens, are left out, or it is done all the same. */
export type WindowRule = 'wait' | 'refuse' | 'now';

/** Why a target was cancelled by the job itself. */
export type StopReason = 'STOPPED';

/** A device as a command may speak of it. */
export type CommandDevice = Pick<Row<'devices'>, 'id' | 'name' | 'serial' | 'mac' | 'model' | 'firmware' | 'company_id'> & {
  company_name: string;
};

/** One thing that a device does for a target. */
export interface DeviceStep {
  /** What results and the console call it: `flash`, `check`. */
  name: string;
  verb: DeviceVerb;
  /** Time that the device has for it. */
  timeoutSeconds: number;
  /** Time until its answer, from the moment it is sent: it may finish what it was given before. Default: a minute more than the device has. */
  waitSeconds?: number;
  body: string;
  /** Exit codes beside 0 that count as done. */
  acceptedCodes?: readonly number[];
  /** `ok` (default): done while nothing has failed · `failed`: done after a failure only, to undo what was done before. */
  when?: 'ok' | 'failed';
  /** Its failure is noted, and does not fail the target. */
  isOptional?: boolean;
  /** What it prints is read by the server: an answer that was cut is a failure. */
  needsWholeOutput?: boolean;
  /** It may cost the device its connection: its `ok` counts only in a session that the device opened after it was given the command. */
  endsInNewSession?: boolean;
  /** The file that the device may get while it is at this step. */
  fileId?: number;
  /** At the address of its command the device may load so many bytes, and send as many, which are thrown away: to see how fast its connection is. */
  exchangesBytes?: number;
  /** The file that the device is to give while it is at this step; without one the step has failed. `{time}` in its name is when it came, UTC. */
  receives?: { type: FileType; name: string };
}

/** A target that ended on its device. */
export interface EndedTarget {
  id: number;
  device_id: number;
  state: 'ok' | 'failed' | 'timed-out';
  output: string | null;
}

/** What a preview counts a device as. */
export interface Outlook {
  /** Devices with equal members are one group: `{ model, firmware, version }`. */
  group: Record<string, string | null>;
  /** What the device loads over its mobile connection; 0 over any other. */
  mobileBytes: number;
  /** The slot of the SIM that it goes over, as far as that is known. */
  simSlot?: number | null;
}

/** What is read of each device to say whether a job runs on it: a plan may be about all of them, and their rows are wide. */
export const PLANNED_COLUMNS = [
  'id',
  'company_id',
  'name',
  'serial',
  'mac',
  'model',
  'firmware',
  'os',
  'agent',
  'timezone',
  'status',
  'quarantine',
  'monitoring_enabled',
  'activated_at',
  'wan_state',
  'sim_slot',
  'signal',
] as const satisfies readonly (keyof Row<'devices'>)[];
export type PlannedDevice = Pick<Row<'devices'>, (typeof PLANNED_COLUMNS)[number]>;

/** A device that a job may run on, with the path of its company. */
export type JobDevice = PlannedDevice & { company_path: string };

/** A kind of work over devices, defined by the room that knows it; registered by name at start. */
export interface JobKind<Input = unknown> {
  name: string;
  /** Who may start, retry and cancel it: the same for every job of the kind, or as its input says. */
  permission: PermissionName | ((input: Input) => PermissionName);
  /**
   * Completes the input of a job that is about to be made or previewed, with what holds at that moment and as this actor may see it; what is
   * complete comes back as it is. Default: as it is.
   */
  prepare?(ctx: Context, actor: Actor, input: Input): Promise<Input>;
  /** Why devices are left out for reasons that only the database knows, by device; asked for some hundred at a time. */
  refusals?(ctx: Context, devices: readonly JobDevice[], input: Input): Promise<ReadonlyMap<number, SkipReason>>;
  /** What becomes of devices outside their maintenance window, unless the request says it. Default: `now`. */
  windowRule?: WindowRule;
  /** Called with a job that is made, in its transaction. */
  created?(trx: Trx, job: Row<'jobs'>): Promise<void>;
  /** Texts that a device might repeat in what it answers and that nobody may read there. */
  hides?(input: Input): readonly string[];
  /** Default true; false: what devices print goes to `ended`, and is kept and shown nowhere else. */
  keepsOutput?: boolean;
  /** Why this device cannot take it now, or undefined. */
  skipReason(device: PlannedDevice & { company_name: string }, input: Input): SkipReason | undefined;
  /** It is done repeatedly by itself: the person who set it up is notified only of devices that it was not done on. */
  isRoutine?: boolean;
  /** The input that a record stands for, for what tags do with one: a file, by its id. Throws NOT_FOUND at `source` for one that the actor does not see. */
  inputFrom?(call: { ctx: Context; actor: Actor; id: number; source: string }): Promise<unknown>;
  /** For the preview: with which others a device that it runs on is counted, and what it would have to move. */
  outlook?(device: PlannedDevice, input: Input): Outlook;
  /** The same for many devices at once, for what has to be read from the database; a device without an entry has none. */
  outlooks?(call: { ctx: Context; actor: Actor; input: Input }, devices: readonly JobDevice[]): Promise<ReadonlyMap<number, Outlook>>;
  /**
   * `device`: commands are sent and the device answers · `server`: `run` does the work in batches, in one transaction each.
   */
  runs:
    | {
        on: 'device';
        /**
         * What a device does, in order; at least one step. Asked again for every step: how many there are, and in which order, must not
         * depend on what changes while they run. `facts` is what `note` gave.
         */
        steps(input: Input, device: CommandDevice, facts: unknown): readonly [DeviceStep, ...DeviceStep[]];
        /** What to keep of a device at the moment when its first step is sent, as JSON. */
        note?(input: Input, device: Row<'devices'>): unknown;
        /** The same for many devices at once, for what has to be read from the database; a device without an entry has none. */
        notes?(ctx: Context, devices: readonly JobDevice[], input: Input): Promise<ReadonlyMap<number, unknown>>;
        /** Called with targets that ended, in the transaction that ends them. */
        ended?(trx: Trx, call: { ctx: Context; job: Row<'jobs'>; targets: readonly EndedTarget[] }): Promise<void>;
      }
    | {
        on: 'server';
        run(trx: Trx, call: { ctx: Context; actor: Actor; origin: Origin; input: Input; devices: Row<'devices'>[] }): Promise<void>;
      };
}

export interface JobRequest {
  kind: string;
  input: unknown;
  target: SelectionInput;
  waves?: Waves;
  schedule?: Schedule;
  /** Default: as its kind says. */
  window?: WindowRule | undefined;
  idempotencyKey?: string;
  /** Why it is started; undefined where nobody is asked. */
  reason?: string | undefined;
  /** The job that it retries or undoes. */
  parentJobId?: number | undefined;
}

/** What would happen: the answer of a dry run. */
export interface JobPreview {
  total: number;
  seen: number | null;
  will_run: number;
  skipped: { reason: SkipReason; count: number; sample: { id: number; name: string }[] }[];
  warnings: { code: string; params: Record<string, string | number> }[];
  /** The devices that it runs on, by what its kind distinguishes; the largest groups first, empty for most kinds. */
  groups: { group: Record<string, string | null>; count: number }[];
  /** Devices outside their maintenance window when the job begins, and when the first of those windows opens (on the wire, UTC); null without any. */
  windows: { outside: number; opens_at: string; rule: WindowRule } | null;
  /** A company of these devices wants a reason. */
  asks_reason: boolean;
}

/** What a device says about a command; already cleaned. */
export interface TargetResult {
  deviceId: number;
  /** When the device connected that says it, unix milliseconds; null before its first hello. */
  connectedAt: number | null;
  commandId: string;
  state: 'running' | 'ok' | 'failed';
  code: number | null;
  message: string | null;
  output: string | null;
  truncated: boolean;
}

/** The same work for the same reason, on the devices that are worth another try. */
export interface Retry {
  kind: string;
  input: object;
  deviceIds: number[];
  /** Empty: none was given. */
  reason: string;
}

export interface StartedJob {
  jobId: number;
  channel: string;
  /** Targets, skipped ones too. */
  count: number;
  /** The count that the user saw, when "all that match" was chosen. */
  seen: number | null;
}

/** Makes and follows jobs; everything that touches devices goes through it. */
export interface Jobs {
  register<Input>(kind: JobKind<Input>): void;
  preview(actor: Actor, request: JobRequest): Promise<JobPreview>;
  /** What `inputFrom` of a kind gives. Throws for a kind without it: a mistake in code. */
  inputFrom(actor: Actor, kind: string, record: { id: number; source: string }): Promise<unknown>;
  /** Writes the job and its targets in one transaction and starts it; the same idempotency key gives the same job. */
  create(actor: Actor, origin: Origin, request: JobRequest): Promise<StartedJob>;
  /** What a child job for the targets that failed or timed out does, or for the chosen ones that did not succeed. Throws NOTHING_TO_RETRY. */
  retryOf(actor: Actor, jobId: number, targetIds?: number[]): Promise<Retry>;
  /** Cancels what was not sent yet; what is under way on a device cannot be called back. */
  cancel(actor: Actor, origin: Origin, jobId: number): Promise<{ cancelled: number; cannot_cancel: number }>;
  /** Holds a job back or lets it go on. Throws NOT_WAITING where there is nothing to change. */
  hold(actor: Actor, origin: Origin, jobId: number, hold: Hold): Promise<void>;
  /** Cancels those of these targets that were not sent yet; answers which, ascending. Targets of jobs that the actor does not see or may not cancel are as unknown ones. */
  cancelTargets(actor: Actor, origin: Origin, targetIds: readonly number[]): Promise<number[]>;
  /** Writes what devices answered, in the transaction of their messages; events follow the commit. */
  takeResults(trx: Trx, results: TargetResult[]): Promise<void>;
  /** The command with this id, while this device is at it and its time lasts. */
  openCommand(deviceId: number, commandId: string): Promise<OpenCommand | undefined>;
  /** These devices are there again: gives them again what they have not answered. Call after the commit. */
  devicesReturned(deviceIds: readonly number[]): Promise<void>;
  /** Resolves when nothing can be done before a device answers or time passes. */
  settled(): Promise<void>;
}

/** When a job begins and how long it waits, as a call says it. */
export interface Schedule {
  /** On the wire, UTC; at once without it. */
  starts_at?: string | undefined;
  /** From the start on, for devices that are offline; they are skipped without it. */
  wait_seconds?: number | undefined;
}

/** How a job goes about its devices: so many at a time, the next ones when all of those are done, no more when too many failed. */
export interface Waves {
  /** Devices; without it `size_percent` of those that the job runs on, without both all of them. */
  size?: number;
  size_percent?: number;
  /** Devices in the first wave, to try it on a few; without it as many as in the others. */
  first?: number;
  /** The first wave is the devices with this tag. */
  first_tag_id?: number;
  /** Devices that match the query of the job later, until it is over, get their turn too. */
  newcomers?: boolean;
  /** Each further wave waits until somebody lets it begin. */
  approve?: boolean;
  /** Of the targets that are done, the share that may have failed; without it nothing stops the job. */
  stop_percent?: number;
  /** What happens then: `end` (default) cancels the rest, `hold` pauses the job until somebody resumes it. */
  on_stop?: 'end' | 'hold';
  /** Between the end of a wave and the next one; none by default. */
  pause_seconds?: number;
}

/** A command that a device is at, with what its step says of files. */
export interface OpenCommand {
  job: Row<'jobs'>;
  target: Row<'job_targets'>;
  device: Row<'devices'>;
  step: DeviceStep;
}

export type Hold = 'pause' | 'resume' | 'continue';
