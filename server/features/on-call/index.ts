import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { addSchedule, editSchedule, getSchedule, listSchedules, removeSchedule } from './schedules.ts';

const access = { permission: 'view_device_alerts' } as const;
const tag = 'on-call';

/** Registers the room of on-call schedules: who answers the alerts of a company, and when. */
export function registerOnCall(app: App): void {
  listRoute(app, {
    path: '/on-call',
    access,
    summary: 'Who answers alerts, and when.',
    tag,
    rules: listRulesOf('on-call', { sorts: ['id'] }),
    list: listSchedules,
  });
  route(app, {
    method: 'GET',
    path: '/on-call/:id',
    access,
    summary: 'One on-call schedule.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getSchedule(ctx, actor, params.id)),
  });
  formRoute(app, 'on-call/new', async ({ ctx, actor, origin, body }) => {
    const id = await addSchedule(ctx, { actor, origin }, body);
    return created({ id }, { id });
  });
  formRoute(app, 'on-call/edit', async ({ ctx, actor, origin, params, body }) => {
    await editSchedule(ctx, { actor, origin }, params.id, body);
    return ok(await getSchedule(ctx, actor, params.id));
  });
  formRoute(app, 'on-call/remove', async ({ ctx, actor, origin, params }) => {
    await removeSchedule(ctx, { actor, origin }, params.id);
    return ok();
  });
}
