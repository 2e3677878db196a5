import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';
import { planChanges, type ConfigureCall, type DevicePlan } from './changes.ts';
import { CONFIGURE_KIND, READ_KIND, sealCommands, type ConfigureInput, type ReadInput } from './configure-kinds.ts';
import { documentFor, SYSTEMS, type System } from './documents.ts';
import { ConfigurationNotRead, ConfigurationUnchanged, NoConfiguration } from './errors.ts';
import { knownDevices, type KnownDevice } from './known-devices.ts';
import { readBody } from './settings.ts';

const DEFAULT_CONFIRM_SECONDS = 120;

/** What each system's devices are asked for. */
export async function readBodies(ctx: Context): Promise<ReadInput['bodies']> {
  const entries = await Promise.all(SYSTEMS.map(async (system) => [system, readBody(await documentFor(ctx.reads, system))] as const));
  return Object.fromEntries(entries);
}

/** A job that reads single settings. */
export async function readJob(ctx: Context): Promise<{ kind: string; input: ReadInput }> {
  return { kind: READ_KIND, input: { bodies: await readBodies(ctx) } };
}

/** What devices were set to when they were asked last, secrets left out. */
export async function listSettings(ctx: Context, actor: Actor, ids: readonly number[]) {
  const devices = await knownDevices(ctx, actor, ids, (index) => `device_id.${index}`);
  return devices.map(({ id, name, serial, mac, system, settings, readAt }) => ({
    id,
    name,
    serial,
    mac,
    system: system ?? null,
    settings: settings ?? null,
    read_at: wireTime(readAt),
  }));
}

/** The system of one device. Throws NOT_FOUND, and NO_CONFIGURATION for a device whose settings no document describes. */
export async function requireSystem(ctx: Context, actor: Actor, id: number): Promise<System> {
  const [device] = await knownDevices(ctx, actor, [id], () => 'device_id');
  if (!device?.system) throw new NoConfiguration({ device: device?.name ?? '' }, { source: 'device_id' });
  return device.system;
}

/** What the calls change on each device. Throws as `planChanges` does, and NO_CONFIGURATION and CONFIGURATION_NOT_READ for devices that cannot be compared. */
export async function planFor(
  ctx: Context,
  actor: Actor,
  calls: readonly ConfigureCall[],
): Promise<{ device: KnownDevice; plan: DevicePlan }[]> {
  const places = new Map<number, { first: string; calls: { call: ConfigureCall; source: string }[] }>();
  for (const [index, call] of calls.entries())
    for (const [at, id] of call.device_id.entries()) {
      const known = places.get(id) ?? { first: `configuration.${index}.device_id.${at}`, calls: [] };
      known.calls.push({ call, source: `configuration.${index}` });
      places.set(id, known);
    }
  const ids = [...places.keys()];
  const devices = await knownDevices(ctx, actor, ids, (index) => places.get(ids[index] ?? 0)?.first ?? 'configuration');
  const plans: { device: KnownDevice; plan: DevicePlan }[] = [];
  for (const device of devices) {
    const { system, settings, id, name } = device;
    const asked = places.get(id);
    const at = { source: asked?.first ?? 'configuration' };
    if (!system) throw new NoConfiguration({ device: name }, at);
    if (!settings) throw new ConfigurationNotRead({ device: name }, at);
    plans.push({ device, plan: planChanges(await documentFor(ctx.reads, system), settings, asked?.calls ?? []) });
  }
  return plans;
}

/** The command for the changes of a device. */
export const bodyOf = ({ configs, operations }: DevicePlan): string =>
  [...configs.map((name) => `config=${name}\n`), ...operations.map((line) => `do=${line}\n`)].join('');

/** A job that makes these changes. Throws CONFIGURATION_UNCHANGED when there is none. */
export async function configureJob(
  ctx: Context,
  plans: readonly { device: KnownDevice; plan: DevicePlan }[],
  confirmSeconds = DEFAULT_CONFIRM_SECONDS,
): Promise<{ job: { kind: string; input: ConfigureInput }; ids: number[] }> {
  const changed = plans.filter(({ plan }) => plan.operations.length > 0);
  if (changed.length === 0) throw new ConfigurationUnchanged({});
  const input: ConfigureInput = {
    confirm_seconds: confirmSeconds,
    bodies: await readBodies(ctx),
    changes: changed.map(({ device, plan }) => ({ device_id: device.id, differences: plan.differences })),
    secrets: sealCommands(ctx, Object.fromEntries(changed.map(({ device, plan }) => [String(device.id), bodyOf(plan)]))),
  };
  return { job: { kind: CONFIGURE_KIND, input }, ids: changed.map(({ device }) => device.id) };
}
