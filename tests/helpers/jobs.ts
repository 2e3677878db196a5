import type { TargetState } from '../../server/db/schema.ts';
import { inTransaction } from '../../server/kernel/db/database.ts';
import type { TargetResult } from '../../server/domain/jobs/types.ts';
import { as, type Caller } from './as.ts';
import { makeCompany, makeDevice } from './factories.ts';
import { makeWorld, type World } from './world.ts';

type Said = Partial<Omit<TargetResult, 'deviceId' | 'commandId'>>;

/** The device says this about the newest command that it was given, over a connection that it opened after that, unless `said` names another one. */
export async function answer(world: World, device: { id: number; device_key: string }, said: Said): Promise<void> {
  const command = world.commands.findLast((sent) => sent.deviceKey === device.device_key)?.command;
  const result = {
    connectedAt: Number.MAX_SAFE_INTEGER,
    state: 'ok',
    code: null,
    message: null,
    output: null,
    truncated: false,
    ...said,
  } as const;
  await inTransaction(world.ctx.db, (trx) =>
    world.ctx.jobs.takeResults(trx, [{ deviceId: device.id, commandId: command?.id ?? '', ...result }]),
  );
  await world.ctx.jobs.settled();
}

/** Starts a job and waits until nothing more can be done before a device answers. */
export async function startJob(world: World, caller: Caller, path: string, body: object, headers: Record<string, string> = {}) {
  const started = await caller.post(path, body, headers);
  await world.ctx.jobs.settled();
  return started;
}

/** The states of a job’s targets, in the order of the list. */
export async function statesOf(caller: Caller, jobId: unknown): Promise<TargetState[]> {
  const { data } = await caller.get(`/jobs/${jobId}/targets`, { limit: 100 });
  return data.map((target: { state: TargetState }) => target.state);
}

/** The body that reboots these devices. */
export const reboot = (devices: { id: number }[]) => ({ action: 'reboot', device_id: devices.map((device) => device.id) });

/** A company with devices that are online, and its administrator. */
export async function place(count = 2) {
  const world = await makeWorld();
  const company = await makeCompany(world);
  const devices = [];
  for (let index = 0; index < count; index += 1) devices.push(await makeDevice(world, { company }));
  const admin = await as(world, 'admin', { company });
  return { world, company, devices, admin };
}
