import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { addNote, editNote, getNote, listNotes, removeNote } from './notes.ts';

const access = { permission: 'view_devices' } as const;
const tag = 'device notes';

/** Registers the room of notes on devices. */
export function registerDeviceNotes(app: App): void {
  listRoute(app, {
    path: '/devices/notes',
    access,
    summary: 'Notes on devices.',
    tag,
    rules: listRulesOf('device-notes', { sorts: ['id'] }),
    list: (ctx, actor, query) => listNotes(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/devices/notes/:id',
    access,
    summary: 'One note on a device.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getNote(ctx, actor, params.id)),
  });
  formRoute(app, 'device-notes/new', async ({ ctx, actor, origin, body }) => {
    const id = await addNote(ctx, { actor, origin }, body);
    return created({ id }, { id });
  });
  formRoute(app, 'device-notes/edit', async ({ ctx, actor, origin, params, body }) => {
    await editNote(ctx, { actor, origin }, params.id, body.text);
    return ok(await getNote(ctx, actor, params.id));
  });
  formRoute(app, 'device-notes/remove', async ({ ctx, actor, origin, params }) => {
    await removeNote(ctx, { actor, origin }, params.id);
    return ok();
  });
}
