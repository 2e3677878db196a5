import type { Context } from '../../context.ts';
import type { SelectionInput } from '../../../schemas/kit/types.ts';
import type { PermissionName } from '../../../schemas/_generated/contract.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { Actor, Origin } from '../actor.ts';

export type SkipReason = 'OFFLINE' | 'NOT_ACTIVATED' | 'QUARANTINED' | 'NO_RIGHT' | 'UNSUPPORTED' | 'ALREADY_RUNNING' | 'GONE';

/** A kind of work over devices, defined by the room that knows it; registered by name at start. */
export interface JobKind<Input = unknown> {
  name: string;
  permission: PermissionName;
  /** Time for one target, from the moment it is sent, in milliseconds. */
  targetTimeoutMs(input: Input): number;
  /** Why this device cannot take it now, or undefined. */
  skipReason(device: Row<'devices'>, input: Input): SkipReason | undefined;
  /**
   * `device`: a command is sent and the device answers · `server`: `run` does the work in batches, in one transaction each.
   */
  runs:
    | { on: 'device'; command(input: Input): { verb: 'refresh' | 'reboot' | 'run' | 'forget'; timeoutSeconds: number; body: string } }
    | {
        on: 'server';
        run(trx: Trx, call: { ctx: Context; actor: Actor; origin: Origin; input: Input; devices: Row<'devices'>[] }): Promise<void>;
      };
}

export interface JobRequest {
  kind: string;
  input: unknown;
  target: SelectionInput;
  idempotencyKey?: string;
}

/** What would happen: the answer of a dry run. */
export interface JobPreview {
  total: number;
  seen: number | null;
  will_run: number;
  skipped: { reason: SkipReason; count: number; sample: { id: number; name: string }[] }[];
  warnings: { code: string; params: Record<string, string | number> }[];
}

/** Makes and follows jobs; everything that touches devices goes through it. */
export interface Jobs {
  register<Input>(kind: JobKind<Input>): void;
  preview(actor: Actor, request: JobRequest): Promise<JobPreview>;
  /** Writes the job and its targets in one transaction and starts it; the same idempotency key gives the same job. */
  create(
    actor: Actor,
    origin: Origin,
    request: JobRequest,
  ): Promise<{ jobId: number; channel: string; count: number; seen: number | null }>;
}
