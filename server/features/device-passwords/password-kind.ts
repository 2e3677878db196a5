import type { Row } from '../../db/schema.ts';
import type { CommandDevice, DeviceStep, JobKind } from '../../domain/jobs/types.ts';
import { openSealed, sealText } from '../../kernel/seal.ts';
import { PasswordsForgotten } from './errors.ts';
import {
  isPasswordFacts,
  openPassword,
  PASSWORD_JOB_PURPOSE,
  PASSWORD_KIND,
  passwordPurpose,
  type GivenPasswords,
  type KeyContext,
  type PasswordFacts,
  type PasswordInput,
} from './password-input.ts';
import { generatePassword, isFit } from './password-rules.ts';
import { beginList, settleTargets } from './settle-targets.ts';

const SET_SECONDS = 60;

/** Opens what a job was given; the last one stays open, because every device of a job asks for it. */
function createOpener({ secretKey }: KeyContext): (sealed: string) => GivenPasswords {
  let last: { sealed: string; given: GivenPasswords } | undefined;
  return (sealed) => {
    if (last?.sealed !== sealed)
      last = { sealed, given: JSON.parse(openSealed(secretKey, PASSWORD_JOB_PURPOSE, sealed)) as GivenPasswords };
    return last.given;
  };
}

/** New passwords for devices. Each is made, or looked up, when its command is sent, and sealed with the target until the device has answered. */
export function passwordKind(ctx: KeyContext): JobKind<PasswordInput> {
  const open = createOpener(ctx);

  function givenFor(input: PasswordInput, deviceId: number): string | undefined {
    if (input.secrets === '') return undefined;
    const { all, each } = open(input.secrets);
    return each?.[deviceId] ?? all;
  }

  function stepFor({ user }: PasswordInput, device: CommandDevice, facts: unknown): DeviceStep {
    const password = isPasswordFacts(facts) ? openPassword(ctx, device.id, facts.sealed) : '';
    return { name: 'password', verb: 'password', timeoutSeconds: SET_SECONDS, body: `user=${user}\npassword=${password}\n` };
  }

  return {
    name: PASSWORD_KIND,
    permission: 'execute_device_passwords',
    created: beginList,
    async prepare(_ctx, _actor, input) {
      if (input.mode === 'set' && input.secrets === '') throw new PasswordsForgotten({});
      return input;
    },
    skipReason(device, input) {
      if (input.mode === 'generate') return undefined;
      const password = givenFor(input, device.id);
      return password !== undefined && isFit(password, device) ? undefined : 'PASSWORD_UNFIT';
    },
    runs: {
      on: 'device',
      note(input, device: Row<'devices'>): PasswordFacts {
        const password =
          input.mode === 'generate' ? generatePassword(input.each[device.id] ?? input.rules, device) : (givenFor(input, device.id) ?? '');
        return { sealed: sealText(ctx.secretKey, passwordPurpose(device.id), password) };
      },
      steps: (input, device, facts) => [stepFor(input, device, facts)],
      ended: settleTargets,
    },
  };
}
