import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { presentCode } from './present.ts';
import { findCodeTags, listCodes } from './repo.ts';
import { createCode, getCode, withdrawCode } from './service.ts';

const access = { permission: 'create_devices' } as const;

/** Registers the enrolment codes room. */
export function registerEnrolmentCodes(app: App): void {
  listRoute(app, {
    path: '/devices/enrolment-codes',
    access,
    summary: 'Codes by which devices join, without the codes themselves.',
    tag: 'enrolment-codes',
    rules: listRulesOf('enrolment-codes'),
    async list(ctx, actor, query) {
      const { rows, total } = await listCodes(ctx, actor, query);
      const tags = await findCodeTags(ctx.reads, actor, rows);
      return { rows: rows.map((row) => presentCode(row, tags.get(row.id) ?? [], ctx.clock.now())), total };
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/enrolment-codes/:id',
    access,
    summary: 'One code with the devices that joined by it.',
    tag: 'enrolment-codes',
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getCode(ctx, actor, params.id)),
  });
  formRoute(app, 'devices/add', async ({ ctx, actor, origin, body }) => created(await createCode(ctx, { actor, origin }, body)));
  formRoute(app, 'enrolment-codes/remove', async ({ ctx, actor, origin, params }) => {
    await withdrawCode(ctx, { actor, origin }, params.id);
    return ok();
  });
}
