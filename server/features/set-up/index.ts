import { ok } from '../../kernel/answer.ts';
import { answerSignedIn } from '../../domain/users/answer-signed-in.ts';
import { publicFormRoute } from '../../kernel/form-route.ts';
import { route, type App } from '../../kernel/route.ts';
import { setUp } from './service.ts';
import { isSetUpNeeded } from './set-up-token.ts';

const TRIES_PER_MINUTE = 20;

/** Registers the set-up room: the first administrator of a new installation. */
export function registerSetUp(app: App): void {
  route(app, {
    method: 'GET',
    path: '/set-up',
    access: 'public',
    summary: 'Whether this installation still needs its first administrator.',
    tag: 'set-up',
    handler: async ({ ctx }) => ok({ needed: await isSetUpNeeded(ctx.reads) }),
  });
  publicFormRoute(
    app,
    'set-up/first-administrator',
    async ({ ctx, body, origin, reply }) => answerSignedIn(ctx, reply, await setUp(ctx, body, origin)),
    { ratePerMinute: TRIES_PER_MINUTE },
  );
}
