import { supports } from '../../../schemas/kit/devices/device-capabilities.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import type { EndedTarget, JobKind } from '../../domain/jobs/types.ts';
import { openSealed, sealText } from '../../kernel/seal.ts';
import { readHotspotAnswer } from './read-hotspot-answer.ts';

export interface HotspotInput {
  what: 'list' | 'add' | 'remove' | 'page';
  /** Number of the hotspot on its device. */
  index: number;
  /** Accounts to add, sealed; empty for the rest. */
  secrets: string;
  /** Accounts to remove. */
  names: string[];
  title?: string;
  text?: string;
}

/** An account as it is sent to devices; 0: no limit. */
export interface HotspotAccount {
  name: string;
  password: string;
  minutes: number;
  megabytes: number;
  /** Unix milliseconds; null: never. */
  ends_at: number | null;
}

export const HOTSPOT_KIND = 'hotspot';
/** What accounts in a job's input are sealed for. */
export const HOTSPOT_PURPOSE = 'hotspot accounts';
const SECONDS = 60;

type KeyContext = Pick<Context, 'secretKey'>;

/** Accounts of a job's input, so that passwords are not in the database as they are. */
export const sealAccounts = ({ secretKey }: KeyContext, accounts: readonly HotspotAccount[]): string =>
  sealText(secretKey, HOTSPOT_PURPOSE, JSON.stringify(accounts));

const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');

function bodyOf({ secretKey }: KeyContext, { what, index, secrets, names, title, text }: HotspotInput): string {
  // Only `sealAccounts` makes the text.
  const known = secrets === '' ? [] : (JSON.parse(openSealed(secretKey, HOTSPOT_PURPOSE, secrets)) as HotspotAccount[]);
  const lines = [
    `do=${what}`,
    `index=${index}`,
    ...known.map(
      ({ name, password, minutes, megabytes, ends_at }) =>
        `account=${name} ${password} ${minutes} ${megabytes} ${ends_at === null ? 0 : Math.floor(ends_at / 1000)}`,
    ),
    ...names.map((name) => `name=${name}`),
    ...(title === undefined ? [] : [`title=${oneLine(title)}`]),
    ...(text === undefined ? [] : [`text=${oneLine(text)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Keeps the accounts and sessions that devices have said that their hotspots have. */
async function keepAnswers(
  trx: Trx,
  { ctx, job, targets }: { ctx: Context; job: { input: string }; targets: readonly EndedTarget[] },
): Promise<void> {
  const { index } = JSON.parse(job.input) as HotspotInput;
  const at = ctx.clock.now();
  for (const { device_id, state, output } of targets) {
    const answer = state === 'ok' ? readHotspotAnswer(output ?? '') : undefined;
    if (!answer) continue;
    await trx
      .updateTable('device_hotspots')
      .set({
        accounts: JSON.stringify(answer.accounts),
        sessions: JSON.stringify(answer.sessions),
        users: answer.sessions.length,
        read_at: at,
      })
      .where('device_id', '=', device_id)
      .where('hotspot_index', '=', index)
      .execute();
  }
}

/** Accounts, sessions and the sign-in page of hotspots. */
export function hotspotKind(ctx: KeyContext): JobKind<HotspotInput> {
  return {
    name: HOTSPOT_KIND,
    // The names of vouchers' accounts are their codes.
    keepsOutput: false,
    permission: ({ what }) => (what === 'list' ? 'view_device_hotspots' : 'update_device_hotspots'),
    skipReason: (device) => (supports(device, 'hotspot') ? undefined : 'UNSUPPORTED'),
    runs: {
      on: 'device',
      steps: (input) => [{ name: 'hotspot', verb: 'hotspot', timeoutSeconds: SECONDS, body: bodyOf(ctx, input) }],
      ended: keepAnswers,
    },
  };
}
