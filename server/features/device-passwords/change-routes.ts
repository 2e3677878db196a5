import type { FastifyRequest } from 'fastify';
import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Actor, Origin } from '../../kernel/actor.ts';
import { created, partial } from '../../kernel/answer.ts';
import { requireOwnSecondFactor } from '../../kernel/auth/proof.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { requireUpload } from '../../kernel/http/uploads.ts';
import { answerJobRequest, type DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import { jobChannel } from '../../domain/jobs/present-job.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type, type Static } from '../../kernel/type.ts';
import { PASSWORD_KIND, sealGiven, type PasswordInput, type PasswordRules } from './password-input.ts';
import { readPasswordCsv } from './read-password-csv.ts';

const tag = 'device passwords';
const MAX_ITEMS = 1000;
const DEFAULT_USER = 'root';
const DEFAULT_RULES: PasswordRules = { length: 16, special: true };
const access = { permission: 'execute_device_passwords' } as const;

type Keeping = { show_password?: boolean | undefined; keep_in_vault?: boolean | undefined };
const keepOf = ({ show_password, keep_in_vault }: Keeping): PasswordInput['keep'] => [
  ...(show_password ? (['list'] as const) : []),
  ...(keep_in_vault ? (['vault'] as const) : []),
];

/** Asks people for their second factor; programs, and people without one, are not asked. */
async function confirm({ ctx, actor, request }: { ctx: Context; actor: Actor; request: FastifyRequest }): Promise<void> {
  if (actor.sessionId !== undefined) await requireOwnSecondFactor(ctx, request);
}

function assertSame(password: string, confirmation: string, source: string): void {
  if (password !== confirmation)
    throw new InvalidFields([{ source, message: 'The two passwords differ.', params: { key: 'forms.devices.passwords.differs' } }]);
}

type FormBody = FormData['devices/passwords'] & DevicesBody;

function inputOfForm(ctx: Context, body: FormBody): PasswordInput {
  const user = body.username;
  if (body.mode === 'generate') {
    const rules = { length: body.length ?? DEFAULT_RULES.length, special: body.use_special ?? false };
    return { mode: 'generate', keep: [body.keep ?? 'list'], user, rules, each: {}, secrets: '' };
  }
  const { password = '', password_confirmation = '' } = body;
  assertSame(password, password_confirmation, 'password_confirmation');
  return { mode: 'set', keep: keepOf(body), user, rules: DEFAULT_RULES, each: {}, secrets: sealGiven(ctx, { all: password }) };
}

function registerForms(app: App): void {
  formRoute(
    app,
    'devices/passwords',
    async (call) => {
      const body: FormBody = call.body;
      if (!body.dry_run) await confirm(call);
      return answerJobRequest({ ...call, body }, { kind: PASSWORD_KIND, input: inputOfForm(call.ctx, body) });
    },
    { proof: 'sign-in' },
  );
  formRoute(
    app,
    'devices/passwords-csv',
    async (call) => {
      const { ctx, actor, origin, body, request } = call;
      const { first_parameter: identifier = 'either', username: user = DEFAULT_USER } = body;
      const { passwords, faults } = await readPasswordCsv(ctx, actor, requireUpload(request, 'file', body.file), identifier);
      const ids = [...passwords.keys()];
      if (ids.length === 0) return partial([], faults);
      const secrets = sealGiven(ctx, { each: Object.fromEntries(passwords) });
      // The body has a token for the file, another one with each try; what is confirmed is what the file says.
      request.body = { ...body, file: secrets };
      await confirm(call);
      const input: PasswordInput = { mode: 'set', keep: keepOf(body), user, rules: DEFAULT_RULES, each: {}, secrets };
      const { channel, job_id } = await startJob(ctx, { actor, origin }, ids, input);
      return faults.length === 0 ? created(ids, { channel, job_id }) : partial(ids, faults, { channel, job_id });
    },
    { proof: 'sign-in', optional: ['first_parameter', 'username'] },
  );
}

async function startJob(ctx: Context, { actor, origin }: { actor: Actor; origin: Origin }, device_id: number[], input: PasswordInput) {
  const { jobId } = await ctx.jobs.create(actor, origin, { kind: PASSWORD_KIND, input, target: { device_id } });
  return { channel: jobChannel(jobId), job_id: jobId };
}

const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const secret = Type.String({ minLength: 8, maxLength: 32, pattern: '^[!-~]+$' });
const generated = Type.Object(
  { id, length: Type.Integer({ minimum: 8, maximum: 32 }), use_special: Type.Unsafe<0 | 1 | boolean>({ enum: [0, 1, false, true] }) },
  { additionalProperties: false },
);
const given = Type.Object(
  { id, password: secret, password_confirmation: secret, show_password: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
const bodyOf = <T extends typeof generated | typeof given>(item: T) =>
  Type.Object({ data: Type.Array(item, { minItems: 1, maxItems: MAX_ITEMS }) }, { additionalProperties: false });

function assertOnce(items: readonly { id: number }[]): number[] {
  const seen = new Set<number>();
  for (const [index, item] of items.entries()) {
    if (seen.has(item.id)) throw new InvalidFields([{ source: `data.${index}.id`, message: 'This device is in the list already.' }]);
    seen.add(item.id);
  }
  return [...seen];
}

const rulesById = (items: readonly Static<typeof generated>[]): Record<string, PasswordRules> =>
  Object.fromEntries(items.map((item) => [item.id, { length: item.length, special: Boolean(item.use_special) }]));

/** Registers the calls of the public API, in which each device may have a password of its own kind. */
function registerPublicCalls(app: App): void {
  route(app, {
    method: 'POST',
    path: '/devices/passwords/generate',
    access,
    summary: 'Gives devices new random passwords, which who asks can download once.',
    tag,
    proof: 'sign-in',
    body: bodyOf(generated),
    async handler(call) {
      const { data } = call.body;
      const device_id = assertOnce(data);
      await confirm(call);
      const input: PasswordInput = {
        mode: 'generate',
        keep: ['list'],
        user: DEFAULT_USER,
        rules: DEFAULT_RULES,
        each: rulesById(data),
        secrets: '',
      };
      return answerJobRequest({ ...call, body: { device_id } }, { kind: PASSWORD_KIND, input });
    },
  });
  route(app, {
    method: 'POST',
    path: '/devices/passwords/set',
    access,
    summary: 'Gives devices the passwords that are sent.',
    tag,
    proof: 'sign-in',
    body: bodyOf(given),
    async handler(call) {
      const { ctx, body } = call;
      const device_id = assertOnce(body.data);
      for (const [index, { password, password_confirmation }] of body.data.entries())
        assertSame(password, password_confirmation, `data.${index}.password_confirmation`);
      await confirm(call);
      const secrets = sealGiven(ctx, { each: Object.fromEntries(body.data.map((item) => [item.id, item.password])) });
      const keep = keepOf({ show_password: body.data.some((item) => item.show_password) });
      const input: PasswordInput = { mode: 'set', keep, user: DEFAULT_USER, rules: DEFAULT_RULES, each: {}, secrets };
      return answerJobRequest({ ...call, body: { device_id } }, { kind: PASSWORD_KIND, input });
    },
  });
}

/** Registers what gives devices new passwords. */
export function registerPasswordChanges(app: App): void {
  registerForms(app);
  registerPublicCalls(app);
}
