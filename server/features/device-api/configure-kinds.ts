import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { DeviceStep, EndedTarget, JobKind } from '../../domain/jobs/types.ts';
import { confirmedSteps } from '../../domain/jobs/confirmed-steps.ts';
import { openSealed, sealText } from '../../kernel/seal.ts';
import type { Difference } from './changes.ts';
import { documentFor, systemOf, type System } from './documents.ts';
import { compareDevices } from './drift.ts';
import { readSettings } from './settings.ts';

export const READ_KIND = 'read_settings';
/** The same reading, at night, to see who differs from a template. */
export const COMPARE_KIND = 'compare_settings';
export const CONFIGURE_KIND = 'configure';
/** What the values in a job's input are sealed for. */
export const CONFIGURE_PURPOSE = 'device settings';

const READ_SECONDS = 60;

/** What each system's devices are asked for. */
export interface ReadInput {
  bodies: Partial<Record<System, string>>;
}

export interface ConfigureInput {
  confirm_seconds: number;
  bodies: Partial<Record<System, string>>;
  /** What changes, by device, without secrets. */
  changes: { device_id: number; differences: Difference[] }[];
  /** `Commands`, sealed. */
  secrets: string;
}

/** The body of the command, by device. */
export type Commands = Record<string, string>;

type KeyContext = Pick<Context, 'secretKey'>;

export function sealCommands({ secretKey }: KeyContext, commands: Commands): string {
  return sealText(secretKey, CONFIGURE_PURPOSE, JSON.stringify(commands));
}

/** Keeps what devices said that they are set to, and compares it with the templates that they follow. */
export async function keepSettings(
  trx: Trx,
  { ctx, targets }: { ctx: Context; job: Row<'jobs'>; targets: readonly EndedTarget[] },
): Promise<void> {
  const read_at = ctx.clock.now();
  const read: number[] = [];
  for (const { device_id, state, output } of targets) {
    if (state !== 'ok' || output === null) continue;
    const device = await trx.selectFrom('devices').select(['model', 'os']).where('id', '=', device_id).executeTakeFirst();
    const system = device && systemOf(device);
    const settings = system && readSettings(await documentFor(trx, system), output);
    if (!settings) continue;
    const values = { settings: JSON.stringify(settings), read_at };
    await trx
      .insertInto('device_configurations')
      .values({ device_id, ...values })
      .onConflict((conflict) => conflict.column('device_id').doUpdateSet(values))
      .execute();
    read.push(device_id);
  }
  if (read.length > 0) await compareDevices(ctx, trx, read);
}

const bodyFor = (bodies: ReadInput['bodies'], facts: unknown): string => bodies[facts as System] ?? '';

/** Half of the settings would look as if the others had been removed. */
const readStep = (body: string): DeviceStep => ({ name: 'read', verb: 'read', timeoutSeconds: READ_SECONDS, body, needsWholeOutput: true });

/** Reading the single settings of devices. */
export const readKind: JobKind<ReadInput> = {
  name: READ_KIND,
  permission: 'create_multi_configuration',
  skipReason: (device) => (systemOf(device) === undefined ? 'UNSUPPORTED' : undefined),
  runs: {
    on: 'device',
    note: (_input, device) => systemOf(device),
    steps: ({ bodies }, _device, facts) => [readStep(bodyFor(bodies, facts))],
    ended: keepSettings,
  },
};

/** The reading of all devices of a template, each night. */
export const compareKind: JobKind<ReadInput> = { ...readKind, name: COMPARE_KIND, isRoutine: true };

/** What a device does to change settings, and to say what they are then. */
export function changeSteps({ confirmSeconds, body, readBody }: { confirmSeconds: number; body: string; readBody: string }) {
  return confirmedSteps({
    name: 'configure',
    verb: 'configure',
    body,
    confirmSeconds,
    then: [{ ...readStep(readBody), isOptional: true }],
  });
}

/** Changing single settings, with a way back that the device takes by itself unless it reports in time. */
export function configureKind(ctx: KeyContext): JobKind<ConfigureInput> {
  let opened: { sealed: string; commands: Commands } | undefined;
  const commandsOf = (sealed: string): Commands => {
    if (opened?.sealed !== sealed)
      opened = { sealed, commands: JSON.parse(openSealed(ctx.secretKey, CONFIGURE_PURPOSE, sealed)) as Commands };
    return opened.commands;
  };
  return {
    name: CONFIGURE_KIND,
    permission: 'create_multi_configuration',
    skipReason: (device) => (systemOf(device) === undefined ? 'UNSUPPORTED' : undefined),
    runs: {
      on: 'device',
      note: (_input, device) => systemOf(device),
      steps({ confirm_seconds, bodies, secrets }, { id }, facts) {
        const change = commandsOf(secrets)[String(id)] ?? '';
        return changeSteps({ confirmSeconds: confirm_seconds, body: change, readBody: bodyFor(bodies, facts) });
      },
      ended: keepSettings,
    },
  };
}
