import type { Trx } from '../../db/schema.ts';
import type { Context } from '../../context.ts';
import type { DeviceStep, EndedTarget, JobKind, PlannedDevice, SkipReason } from '../../domain/jobs/types.ts';
import { queueTagActions } from '../../domain/tags/queue-tag-actions.ts';
import { requireUpdateFiles } from './choose-files.ts';
import { skipReasonOf, type Entry, type UpdateInput } from './update-input.ts';
import { stepsOf } from './update-kinds.ts';

const BACK_WITHIN_MINUTES = 15;

/** The files as the caller names them, then as the job keeps them. */
interface FirstContactInput {
  firmware_file_id: number | null;
  config_file_id: number | null;
  entries?: Entry[];
}
/** Which of the entries a device gets, as it was when it came. */
interface Facts {
  places: number[];
}

const isFacts = (facts: unknown): facts is Facts => typeof facts === 'object' && facts !== null && 'places' in facts;

const inputOf = (entry: Entry): UpdateInput => ({
  entries: [entry],
  by: 'all',
  choice: {},
  gate: { back_within: BACK_WITHIN_MINUTES, wan: false },
  // Somebody has chosen this version for this device.
  allow_downgrade: true,
  allow_other_model: false,
});

function reasonOf(entry: Entry, device: PlannedDevice): SkipReason | undefined {
  const reason = skipReasonOf(inputOf(entry), device);
  if (reason !== undefined || entry.action !== 'update_firmware') return reason;
  // The same version again would only cost time.
  return skipReasonOf({ ...inputOf(entry), allow_downgrade: false }, device) === 'UP_TO_DATE' ? 'UP_TO_DATE' : undefined;
}

function stepsFor({ entries = [] }: FirstContactInput, facts: unknown): [DeviceStep, ...DeviceStep[]] {
  const places = isFacts(facts) ? facts.places : entries.map((_entry, place) => place);
  const all = places.flatMap((place) => {
    const entry = entries[place];
    return entry ? stepsOf(inputOf(entry), { entry: 0, signal: null }) : [];
  });
  // A change is undone in one place, at the end, whichever step failed.
  const [first, ...rest] = [...all.filter(({ when }) => when !== 'failed'), ...all.filter(({ when }) => when === 'failed').slice(-1)];
  if (!first) throw new Error('a first contact with nothing to do');
  return [first, ...rest];
}

/** Once a device has what it was to get, its tags do what they do. */
async function startTagActions(trx: Trx, { ctx, targets }: { ctx: Context; targets: readonly EndedTarget[] }): Promise<void> {
  const ids = targets.filter(({ state }) => state === 'ok').map(({ device_id }) => device_id);
  if (ids.length === 0) return;
  const pairs = await trx.selectFrom('device_tags').selectAll().where('device_id', 'in', ctx.database.tools.idList(ids)).execute();
  await queueTagActions(
    ctx,
    trx,
    pairs.map(({ device_id, tag_id }) => [device_id, tag_id]),
  );
}

/** What a device that was added ahead gets when it comes for the first time: its firmware, then its settings, each checked, and undone when it fails. */
export const firstContactKind: JobKind<FirstContactInput> = {
  name: 'first_contact',
  permission: 'execute_device_updates',
  async prepare(ctx, actor, input) {
    if (input.entries) return input;
    const wanted = [
      { id: input.firmware_file_id, action: 'update_firmware', source: 'firmware_file_id' },
      { id: input.config_file_id, action: 'upload_backup', source: 'config_file_id' },
    ] as const;
    const named = wanted.flatMap(({ id, ...rest }) => (id === null ? [] : [{ id, ...rest }]));
    const files = await requireUpdateFiles(ctx, actor, named);
    const entries = named.flatMap(({ id, action }): Entry[] => {
      const file = files.get(id);
      return file ? [{ action, file, keep: true, offline: true }] : [];
    });
    return { ...input, entries };
  },
  skipReason: (device, { entries = [] }) =>
    entries.some((entry) => reasonOf(entry, device) === undefined) ? undefined : entries[0] ? reasonOf(entries[0], device) : 'NO_FILE',
  runs: {
    on: 'device',
    note: ({ entries = [] }, device): Facts => ({
      places: entries.flatMap((entry, place) => (reasonOf(entry, device) === undefined ? [place] : [])),
    }),
    steps: (input, _device, facts) => stepsFor(input, facts),
    ended: startTagActions,
  },
};
