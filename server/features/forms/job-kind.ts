import { permissionNames, type PermissionName } from '../../../schemas/_generated/contract.ts';
import { supports } from '../../../schemas/kit/devices/device-capabilities.ts';
import type { DeviceJobTemplate, FormFile, JsonValue, Text } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import type { CommandDevice, JobKind } from '../../domain/jobs/types.ts';
import { openSealed, sealText } from '../../kernel/seal.ts';
import { CommandError, commandOf } from './command.ts';
import { partSecrets, withSecrets } from './secrets.ts';

/** What a job keeps of the form that started it: all that it needs, because the form may change or go while it runs. */
export interface FormJobInput {
  form: string;
  title: Text;
  version: number;
  permission: string;
  steps: string[][];
  timeout: number;
  exitCodes: number[];
  /** What is printed is shown while it runs. */
  live?: boolean;
  /** What devices must support; empty for nothing. */
  supports: string;
  /** What was entered, passwords as `***`. */
  data: Record<string, JsonValue>;
  /** The passwords, sealed; empty without any. */
  secrets: string;
}

const DEFAULT_TIMEOUT_SECONDS = 60;
/** What the passwords in a form's job are sealed for. */
export const FORM_JOB_PURPOSE = 'form job';

/** What a form asks its devices to support: what its field for them says. */
export function featureOf(form: FormFile): string | undefined {
  return form.ui?.['device_id']?.['ui:options']?.supports;
}

/** The input of a job for a form that was sent with this data. */
export function jobInputOf(
  ctx: Pick<Context, 'secretKey'>,
  { form, job, version }: { form: FormFile; job: DeviceJobTemplate; version: number },
  data: Record<string, JsonValue>,
): FormJobInput {
  const { secrets, shown } = partSecrets(form, data);
  return {
    form: form.id,
    title: form.title,
    version,
    permission: form.permission,
    steps: job.steps,
    timeout: job.timeout ?? DEFAULT_TIMEOUT_SECONDS,
    exitCodes: job.exitCodes ?? [0],
    ...(job.live ? { live: true } : {}),
    supports: featureOf(form) ?? '',
    data: shown,
    secrets: Object.keys(secrets).length === 0 ? '' : sealText(ctx.secretKey, FORM_JOB_PURPOSE, JSON.stringify(secrets)),
  };
}

function commandFor(ctx: Pick<Context, 'secretKey'>, input: FormJobInput, device: CommandDevice): string {
  const secrets =
    input.secrets === '' ? {} : (JSON.parse(openSealed(ctx.secretKey, FORM_JOB_PURPOSE, input.secrets)) as Record<string, JsonValue>);
  return commandOf(input, withSecrets(input.data, secrets), device);
}

/** The work that device forms start: a command made for each device when it is sent. A device for which none can be made is skipped. */
export function formKind(ctx: Pick<Context, 'secretKey'>): JobKind<FormJobInput> {
  return {
    name: 'form',
    permission: ({ permission }): PermissionName => permissionNames.find((name) => name === permission) ?? 'super_admin',
    skipReason(device, input) {
      if (input.supports && !supports(device, input.supports)) return 'UNSUPPORTED';
      try {
        commandFor(ctx, input, device);
        return undefined;
      } catch (error) {
        if (error instanceof CommandError) return 'UNSUPPORTED';
        throw error;
      }
    },
    runs: {
      on: 'device',
      steps: (input, device) => [
        {
          name: 'run',
          verb: input.live ? 'watch' : 'run',
          timeoutSeconds: input.timeout,
          body: commandFor(ctx, input, device),
          acceptedCodes: input.exitCodes,
        },
      ],
    },
  };
}
