import { created, ok, type Answer } from '../../kernel/answer.ts';
import type { Context } from '../../context.ts';
import { hashRequest } from '../../kernel/auth/proof.ts';
import { MINUTE, SECOND } from '../../kernel/clock.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idempotencyKeyOf } from '../../kernel/idempotency.ts';
import type { App, Call } from '../../kernel/route.ts';
import type { Actor } from '../../kernel/actor.ts';
import { chargeData } from './charge-data.ts';
import { activateCode, createCode, editCode, removeCode } from './codes.ts';
import { registerDeviceCredits } from './device-credit-routes.ts';
import { readMove, readNewCode } from './program-bodies.ts';
import { registerCreditReads } from './reads.ts';
import { registerCreditReports } from './report-routes.ts';
import type { LedgerCaller } from './ledger-work.ts';
import { addCredits, buyData, moveCredits } from './service.ts';
import { sweepCredits } from './sweep.ts';

const CHARGE_MS = 10 * SECOND;
/** A code has 160 bits; guessing is hopeless, and slow as well. */
const ACTIVATIONS_PER_MINUTE = 10;

type LedgerCall<Body> = Pick<Call<unknown, unknown, Body>, 'ctx' | 'origin' | 'body' | 'request'> & { actor: Actor };

function callerOf({ ctx, actor, origin, request }: LedgerCall<unknown>): LedgerCaller {
  const key = idempotencyKeyOf(request);
  return { actor, origin, ...(key === undefined ? {} : { once: { key, call: hashRequest(ctx, request) } }) };
}

/** A form's handler out of a use case that answers nothing. */
function done<Body>(useCase: (ctx: Context, caller: LedgerCaller, input: Body) => Promise<void>, answer: () => Answer = ok) {
  return async (call: LedgerCall<Body>): Promise<Answer> => {
    await useCase(call.ctx, callerOf(call), call.body);
    return answer();
  };
}

/** Registers the room of credits, which the screen calls resources; nothing where the installation is without them. */
export function registerCredits(app: App): void {
  if (!app.ctx.config.hasResources) return;
  registerCreditReads(app);
  registerDeviceCredits(app);
  registerCreditReports(app);
  const stopSweeping = app.ctx.clock.every(MINUTE, () => sweepCredits(app.ctx));
  const stopCharging = app.ctx.clock.every(CHARGE_MS, () => chargeData(app.ctx));
  app.fastify.addHook('onClose', async () => {
    stopSweeping();
    stopCharging();
  });
  formRoute(app, 'credits/add', done(addCredits, created));
  formRoute(app, 'credits/move', done(moveCredits), { programs: { translate: readMove } });
  formRoute(app, 'companies/data', done(buyData), { numerals: ['credits'] });
  formRoute(
    app,
    'credits/new-code',
    async (call) => {
      const code = await createCode(call.ctx, callerOf(call), call.body);
      return created({ code }, { credit_code: code });
    },
    { programs: { translate: readNewCode } },
  );
  formRoute(
    app,
    'credits/activate-code',
    async (call) => {
      const activated = await activateCode(call.ctx, callerOf(call), call.body.code);
      return ok(activated, { amount: activated.amount });
    },
    { ratePerMinute: ACTIVATIONS_PER_MINUTE },
  );
  formRoute(
    app,
    'credits/edit-code',
    async ({ ctx, params, body, ...caller }) => {
      await editCode(ctx, caller, params.id, body.comment);
      return ok();
    },
    { optional: ['comment'] },
  );
  formRoute(app, 'credits/remove-code', async ({ ctx, params, ...caller }) => {
    await removeCode(ctx, caller, params.id);
    return ok();
  });
}
