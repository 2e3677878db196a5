import { ok } from '../../kernel/answer.ts';
import { route, type App } from '../../kernel/route.ts';
import { readAttention } from './attention.ts';
import { readFirstSteps } from './first-steps.ts';

/** Registers the start page: what needs somebody, and what is still to be set up. */
export function registerHome(app: App): void {
  route(app, {
    method: 'GET',
    path: '/home',
    access: 'signed-in',
    tokens: 'none',
    summary:
      'What needs attention in the companies that the caller sees, and the first steps of a new installation. Parts that the caller may not see are null.',
    tag: 'home',
    handler: async ({ ctx, actor }) => {
      const [attention, first_steps] = await Promise.all([readAttention(ctx, actor), readFirstSteps(ctx, actor)]);
      return ok({ attention, first_steps });
    },
  });
}
