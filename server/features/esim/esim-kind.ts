import { supports } from '../../../schemas/kit/devices/device-capabilities.ts';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { defineError } from '../../kernel/errors.ts';
import type { EndedTarget, JobKind } from '../../domain/jobs/types.ts';
import { openSealed, sealText } from '../../kernel/seal.ts';
import { readProfiles } from './read-profiles.ts';

export interface EsimInput {
  what: 'list' | 'enable' | 'disable' | 'delete' | 'rename' | 'download';
  iccid?: string;
  nickname?: string;
  /** Activation and confirmation code, sealed; empty without any, and once they were used. */
  secrets: string;
}

/** What a download needs, as it is sealed. */
export interface DownloadCodes {
  code: string;
  confirmation?: string | undefined;
}

type KeyContext = Pick<Context, 'secretKey'>;

export const ESIM_KIND = 'esim';
/** What the codes in a job's input are sealed for. */
export const ESIM_PURPOSE = 'esim activation';

const SECONDS = 240;
const DOWNLOAD_SECONDS = 540;

export const EsimCodeUsed = defineError('ESIM_CODE_USED');

export function sealCodes({ secretKey }: KeyContext, codes: DownloadCodes): string {
  return sealText(secretKey, ESIM_PURPOSE, JSON.stringify(codes));
}

function codesOf({ secretKey }: KeyContext, { secrets }: EsimInput): DownloadCodes | undefined {
  return secrets === '' ? undefined : (JSON.parse(openSealed(secretKey, ESIM_PURPOSE, secrets)) as DownloadCodes);
}

const lines = (fields: Record<string, string | undefined>): string =>
  Object.entries(fields)
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}\n`]))
    .join('');

/** Keeps the profiles that a device has said that it has, and forgets codes that were used. */
async function keepProfiles(
  trx: Trx,
  { ctx, job, targets }: { ctx: Context; job: Row<'jobs'>; targets: readonly EndedTarget[] },
): Promise<void> {
  const read_at = ctx.clock.now();
  for (const { device_id, state, output } of targets) {
    const read = state === 'ok' ? readProfiles(output ?? '') : undefined;
    if (!read) continue;
    const values = { eid: read.eid, profiles: JSON.stringify(read.profiles), read_at };
    await trx
      .insertInto('device_esims')
      .values({ device_id, ...values })
      .onConflict((conflict) => conflict.column('device_id').doUpdateSet(values))
      .execute();
  }
  const input = JSON.parse(job.input) as EsimInput;
  if (input.secrets === '' || targets.some(({ state }) => state !== 'ok')) return;
  await trx
    .updateTable('jobs')
    .set({ input: JSON.stringify({ ...input, secrets: '' }) })
    .where('id', '=', job.id)
    .execute();
}

/** Reading and changing the eSIM profiles of a device. */
export function esimKind(ctx: KeyContext): JobKind<EsimInput> {
  return {
    name: ESIM_KIND,
    permission: 'create_multi_configuration',
    async prepare(_ctx, _actor, input) {
      if (input.what === 'download' && input.secrets === '') throw new EsimCodeUsed({});
      return input;
    },
    skipReason: (device) => (supports(device, 'esim') ? undefined : 'UNSUPPORTED'),
    runs: {
      on: 'device',
      steps(input) {
        const codes = codesOf(ctx, input);
        const { what, iccid, nickname: name } = input;
        const body = lines({ do: what, iccid, name, code: codes?.code, confirmation: codes?.confirmation });
        return [{ name: 'esim', verb: 'esim', timeoutSeconds: what === 'download' ? DOWNLOAD_SECONDS : SECONDS, body }];
      },
      ended: keepProfiles,
    },
  };
}
