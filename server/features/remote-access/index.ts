import { created, ok } from '../../kernel/answer.ts';
import { idParams } from '../../kernel/ids.ts';
import { readExportOptions } from '../../kernel/export-answer.ts';
import { readListQuery, visibleFields } from '../../kernel/list-query.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { doneChannel } from '../../kernel/polled-channels.ts';
import { NotFound } from '../../kernel/errors.ts';
import { ChannelNotFound, type PolledEvent } from '../../kernel/polled-channels.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { documentedEntries } from './documented.ts';
import { addEntries, editEntry, removeEntries } from './entries.ts';
import { getEntry, listEntries } from './read-entries.ts';
import { registerEntryForms } from './form-routes.ts';
import { entryAddress, registerPublicCalls } from './public-calls.ts';
import { endSession, exportSessions, findSessions, listSessions, readRecording } from './history.ts';

const viewing = { permission: 'view_device_remote_access' } as const;
const managing = { permission: 'update_device_remote_access' } as const;
const tag = 'device access';
const MOST_ENTRIES = 100;
const SHORTEST_SECONDS = 10;
const LONGEST_SECONDS = 43_200;

const recordId = () => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const protocol = Type.Unsafe<'http' | 'https' | 'ssh' | 'sftp' | 'telnet' | 'vnc' | 'rdp'>({
  type: 'string',
  enum: ['http', 'https', 'ssh', 'sftp', 'telnet', 'vnc', 'rdp'],
});
const name = Type.String({ minLength: 3, maxLength: 50 });
const address = Type.String({ minLength: 2, maxLength: 45 });
const port = Type.Integer({ minimum: 1, maximum: 65_535 });
const duration = Type.Object(
  { duration: Type.Integer({ minimum: SHORTEST_SECONDS, maximum: LONGEST_SECONDS }) },
  { additionalProperties: false },
);

/** Registers the room of remote access. */
export function registerRemoteAccess(app: App): void {
  registerEntries(app);
  registerEntryForms(app);
  registerConnect(app);
  registerPublicCalls(app);
}

function registerEntries(app: App): void {
  listRoute(app, {
    path: '/devices/remote-access',
    access: viewing,
    summary: 'What can be reached remotely on devices and behind them.',
    tag,
    rules: listRulesOf('remote-access', { sorts: ['id'] }),
    list: (ctx, actor, query) => listEntries(ctx.reads, actor, query),
    documented: documentedEntries,
  });
  route(app, {
    method: 'POST',
    path: '/devices/remote-access',
    access: managing,
    summary: 'Adds entries of remote access to devices, all or none.',
    tag,
    body: Type.Object(
      {
        data: Type.Array(
          Type.Object(
            {
              device_id: recordId(),
              name,
              destination_ip: address,
              destination_port: port,
              protocol,
              credentials_required: Type.Optional(Type.Boolean()),
            },
            { additionalProperties: false },
          ),
          { minItems: 1, maxItems: MOST_ENTRIES },
        ),
      },
      { additionalProperties: false },
    ),
    async handler({ ctx, actor, origin, body }) {
      const ids = await addEntries(ctx, { actor, origin }, body.data);
      return created({ id: ids }, { channel: doneChannel(ids) });
    },
  });
  route(app, {
    method: 'DELETE',
    path: '/devices/remote-access',
    access: managing,
    summary: 'Removes entries of remote access, all or none.',
    tag,
    body: Type.Object({ id: Type.Array(recordId(), { minItems: 1, maxItems: MOST_ENTRIES }) }, { additionalProperties: false }),
    async handler({ ctx, actor, origin, body }) {
      await removeEntries(ctx, { actor, origin }, body.id);
      return ok(undefined, { channel: doneChannel(body.id) });
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/remote-access/:id',
    access: viewing,
    summary: 'One entry of remote access.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getEntry(ctx.reads, actor, params.id)),
  });
  route(app, {
    method: 'PUT',
    path: '/devices/remote-access/:id',
    access: managing,
    summary: 'Changes an entry of remote access.',
    tag,
    params: idParams,
    body: Type.Object(
      {
        device_id: Type.Optional(recordId()),
        name: Type.Optional(name),
        destination_ip: Type.Optional(address),
        destination_port: Type.Optional(port),
        protocol: Type.Optional(protocol),
        credentials_required: Type.Optional(Type.Boolean()),
        tag_id: Type.Optional(Type.Array(recordId(), { maxItems: MOST_ENTRIES })),
      },
      { additionalProperties: false },
    ),
    async handler({ ctx, actor, origin, params, body }) {
      const { device_id: deviceId, ...changes } = body;
      if (deviceId !== undefined && (await getEntry(ctx.reads, actor, params.id)).device_id !== deviceId)
        throw new NotFound({}, { source: 'device_id' });
      await editEntry(ctx, { actor, origin }, params.id, changes);
      return ok(undefined, { channel: doneChannel([params.id]) });
    },
  });
}

function registerConnect(app: App): void {
  const rules = listRulesOf('access-history', { sorts: ['id', 'start_date', 'end_date'], isSearchable: true });
  route(app, {
    method: 'GET',
    path: '/devices/connect/logs/export/csv',
    access: viewing,
    summary: 'Who reached what, as a file (format csv, json or xlsx; timezone); filters, sort and fields as in the list.',
    cost: 'file',
    mediaType: 'text/csv',
    tag,
    hasOwnQueryCheck: true,
    async handler({ ctx, actor, request, reply }) {
      const { options, list } = readExportOptions(request.query);
      const query = readListQuery(rules, { actor, reply }, list);
      return exportSessions(ctx, actor, { query, fields: query.fields ?? visibleFields(rules, actor), options });
    },
  });
  listRoute(app, {
    path: '/devices/connect/logs',
    access: viewing,
    summary: 'Who reached what on devices and behind them.',
    tag,
    rules,
    list: (ctx, actor, query) => listSessions(ctx.reads, actor, query),
  });
  route(app, {
    method: 'POST',
    path: '/devices/connect/:id',
    access: { permission: 'execute_device_remote_access' },
    summary: 'Opens a session to an entry for so many seconds; its address works once, within 30 s, for the caller.',
    tag,
    params: idParams,
    body: duration,
    async handler({ ctx, actor, origin, params, body }) {
      const opened = await ctx.remote.begin({ actor, origin, entryId: params.id, seconds: body.duration });
      return ok(opened, { channel: `remote-sessions.${opened.id}` });
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/connect/sessions/:id/recording',
    access: { permission: 'view_device_remote_recordings' },
    summary: 'The recording of a session, as asciicast v2.',
    mediaType: 'application/x-asciicast',
    tag,
    params: idParams,
    handler: ({ ctx, actor, origin, params }) => readRecording(ctx, { actor, origin }, params.id),
  });
  route(app, {
    method: 'DELETE',
    path: '/devices/connect/sessions/:id',
    access: { anyOf: ['execute_device_remote_access', 'update_device_remote_access'] },
    summary: 'Ends a session: one of the caller itself, or any for those who manage remote access.',
    tag,
    params: idParams,
    async handler({ ctx, actor, params }) {
      await endSession(ctx, actor, params.id);
      return ok(undefined, { channel: `remote-sessions.${params.id}` });
    },
  });
  route(app, {
    method: 'GET',
    path: '/status/channel/remote-sessions.:id',
    atRoot: true,
    access: viewing,
    summary: 'How a session that was asked for goes: `completed` once it can be opened.',
    tag,
    params: idParams,
    async handler({ ctx, actor, params }) {
      const [session] = await findSessions(ctx.reads, actor, [params.id]);
      if (!session) throw new ChannelNotFound({});
      const event: PolledEvent =
        session.active === 1
          ? { status: 'completed', value: 'open', ...(session.entry_id === null ? {} : { link: entryAddress(ctx, session.entry_id) }) }
          : { status: 'error', value: session.end_reason ?? '' };
      return ok({ [params.id]: [event] });
    },
  });
}
