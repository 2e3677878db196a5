import type { Context } from '../../context.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { created, ok, type Answer } from '../../kernel/answer.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { recordFor } from '../../kernel/lenient-calls.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import { idParams } from '../../kernel/ids.ts';
import { answerJobRequest } from '../../domain/jobs/answer-job-request.ts';
import { ChannelNotFound, type PolledEvent } from '../../kernel/polled-channels.ts';
import { ITSELF } from '../../domain/remote/guard.ts';
import { route, type App, type Call } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { checkEntry } from './check.ts';
import { documentSession, sessionTypes } from './documented.ts';
import { addEntries, requireEntry, setBlocked } from './entries.ts';
import { findSessions, visibleSessions } from './history.ts';
import { getEntry } from './read-entries.ts';

const viewing = { permission: 'view_device_remote_access' } as const;
const using = { permission: 'execute_device_remote_access' } as const;
const managing = { permission: 'update_device_remote_access' } as const;
const tag = 'device access';
const MOST_CHECKS = 20;
const MOST_SESSIONS = 100;
const LONGEST_SECONDS = 43_200;

/** The services that every device has, as far as it has them: its own page and its own shell. */
const OWN = {
  webui: { name: 'Web page', protocol: 'http', destination_port: 80, protocols: ['http', 'https'] },
  cli: { name: 'Shell', protocol: 'ssh', destination_port: 22, protocols: ['ssh', 'telnet'] },
} as const;
type OwnKind = keyof typeof OWN;

const duration = Type.Object({ duration: Type.Integer({ minimum: 10, maximum: LONGEST_SECONDS }) }, { additionalProperties: false });
const ownKind = Type.Unsafe<OwnKind>({ type: 'string', enum: ['webui', 'cli'] });
/** The page of the console that opens a session to an entry: the link of the public API. */
export const entryAddress = (ctx: Context, id: number): string => `${ctx.publicUrl()}/remote/access?entry=${id}`;

/** The entry of a device's own page or shell; made when there is none yet. Throws NOT_FOUND. */
async function ownEntry(ctx: Context, caller: Caller, deviceId: number, kind: OwnKind): Promise<number> {
  const device = await requireDevice(ctx.db, caller.actor, deviceId);
  const { protocols, ...own } = OWN[kind];
  const found = await ctx.db
    .selectFrom('remote_entries')
    .select('id')
    .where('device_id', '=', device.id)
    .where('host', '=', ITSELF)
    .where('protocol', 'in', protocols)
    .orderBy('is_main', 'desc')
    .orderBy('id')
    .executeTakeFirst();
  if (found) return found.id;
  const [added] = await addEntries(ctx, caller, [{ ...own, device_id: device.id, destination_ip: ITSELF, is_main: true }], () => '');
  return added ?? 0;
}

async function listOwnLinks(ctx: Context, actor: Actor, deviceId: number, type: OwnKind | undefined): Promise<Answer> {
  await requireDevice(ctx.reads, actor, deviceId);
  const rows = await visibleSessions(ctx.reads, actor)
    .select(['remote_sessions.id', 'remote_sessions.entry_id', 'remote_sessions.expires_at', 'remote_sessions.started_at'])
    .where('remote_sessions.device_id', '=', deviceId)
    .where('remote_sessions.ended_at', 'is', null)
    .where('remote_sessions.entry_id', 'is not', null)
    .where('remote_sessions.type', 'in', type === undefined ? ['webui', 'lan-webui', 'cli'] : [type])
    .orderBy('remote_sessions.id')
    .limit(MOST_SESSIONS)
    .execute();
  const sessions = await findSessions(
    ctx.reads,
    actor,
    rows.map(({ id }) => id),
  );
  const links = rows.map((row) => ({
    link_id: row.id,
    url: entryAddress(ctx, row.entry_id ?? 0),
    ttl: Math.max(0, Math.floor((row.expires_at - ctx.clock.now()) / 1000)),
    active: 1,
    created_at: sessions.find(({ id }) => id === row.id)?.start_time ?? '',
  }));
  return ok(links, { total: links.length });
}

function registerOwn(app: App): void {
  route(app, {
    method: 'GET',
    path: '/devices/:id/links',
    access: viewing,
    summary: 'Sessions that are open on a device, as links.',
    tag,
    params: idParams,
    query: Type.Object({ type: Type.Optional(ownKind) }),
    handler: ({ ctx, actor, params, query }) => listOwnLinks(ctx, actor, params.id, query.type),
  });
  for (const kind of ['webui', 'cli'] as const)
    route(app, {
      method: 'POST',
      path: `/devices/:id/connect/${kind}`,
      access: using,
      summary: kind === 'webui' ? 'Opens the web page of a device.' : 'Opens the shell of a device.',
      tag,
      params: idParams,
      body: duration,
      async handler({ ctx, actor, origin, params, body }) {
        const entryId = await ownEntry(ctx, { actor, origin }, params.id, kind);
        const opened = await ctx.remote.begin({ actor, origin, entryId, seconds: body.duration });
        return created({ ...opened, entry_id: entryId }, { channel: `remote-sessions.${opened.id}` });
      },
    });
  route(app, {
    method: 'POST',
    path: '/rms-connect/restart',
    access: using,
    summary: 'Ends the caller’s sessions behind a link and opens a new one.',
    tag,
    body: Type.Object({ url: Type.String({ minLength: 1, maxLength: 500 }) }, { additionalProperties: false }),
    async handler({ ctx, actor, origin, body }) {
      const link = URL.parse(body.url);
      const entry = link?.searchParams.get('entry') ?? '';
      if (link?.origin !== new URL(ctx.publicUrl()).origin || !/^[1-9]\d{0,14}$/.test(entry))
        throw new InvalidFields([{ source: 'url', message: 'This is no link to an entry.', params: { key: 'remote.no_link' } }]);
      const entryId = Number(entry);
      await requireEntry(ctx.reads, actor, entryId);
      const open = await visibleSessions(ctx.reads, actor)
        .select('remote_sessions.id')
        .where('remote_sessions.entry_id', '=', entryId)
        .where('remote_sessions.user_id', '=', actor.userId)
        .where('remote_sessions.ended_at', 'is', null)
        .execute();
      await ctx.remote.end(
        open.map(({ id }) => id),
        'left',
      );
      const opened = await ctx.remote.begin({ actor, origin, entryId, seconds: 1800 });
      return ok(opened, { channel: `remote-sessions.${opened.id}` });
    },
  });
}

const eventOf = (state: string): PolledEvent =>
  state === 'open' ? { status: 'completed', value: 'open' } : { status: 'error', value: state, errorCode: state.toUpperCase() };

function registerChecks(app: App): void {
  route(app, {
    method: 'POST',
    path: '/devices/connect/status',
    access: viewing,
    summary: 'Tries whether something answers at entries.',
    tag,
    body: Type.Object(
      {
        id: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
          minItems: 1,
          maxItems: MOST_CHECKS,
          uniqueItems: true,
        }),
      },
      { additionalProperties: false },
    ),
    async handler({ ctx, actor, body }) {
      for (const id of body.id) await requireEntry(ctx.reads, actor, id);
      await Promise.all(body.id.map((id) => checkEntry(ctx, actor, id)));
      return ok(undefined, { channel: `remote-entries.${body.id.join('-')}` });
    },
  });
  route(app, {
    method: 'GET',
    path: '/status/channel/remote-entries.:ids',
    atRoot: true,
    access: viewing,
    summary: 'What was found when entries were tried.',
    tag,
    params: Type.Object({ ids: Type.String({ pattern: '^\\d{1,15}(-\\d{1,15}){0,19}$' }) }),
    async handler({ ctx, actor, params }) {
      const events: Record<string, PolledEvent[]> = {};
      for (const id of params.ids.split('-').map(Number)) {
        const entry = await getEntry(ctx.reads, actor, id).catch(() => undefined);
        if (!entry) throw new ChannelNotFound({});
        events[id] = [eventOf(entry.state)];
      }
      return ok(events);
    },
  });
  route(app, {
    method: 'POST',
    path: '/devices/:id/remote-access/:action',
    access: managing,
    summary: 'Tries all entries of a device, or unblocks them.',
    tag,
    params: Type.Object({
      id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      action: Type.Unsafe<'check' | 'unblock'>({ type: 'string', enum: ['check', 'unblock'] }),
    }),
    async handler({ ctx, actor, origin, params }) {
      await requireDevice(ctx.reads, actor, params.id);
      const rows = await ctx.reads
        .selectFrom('remote_entries')
        .select('id')
        .where('device_id', '=', params.id)
        .limit(MOST_CHECKS)
        .execute();
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) throw new NotFound({});
      await Promise.all(
        ids.map((id) => (params.action === 'check' ? checkEntry(ctx, actor, id) : setBlocked(ctx, { actor, origin }, id, false))),
      );
      return ok(undefined, { channel: `remote-entries.${ids.join('-')}` });
    },
  });
}

type ScanCall = Call<{ id: number }, unknown, unknown> & { actor: Actor };

async function startScan(call: ScanCall, ports?: readonly number[]): Promise<Answer> {
  await requireDevice(call.ctx.reads, call.actor, call.params.id);
  return answerJobRequest(
    { ...call, body: { device_id: [call.params.id] } },
    { kind: 'remote_scan', input: ports === undefined ? {} : { ports } },
  );
}

/** Registers what programs of the public API know of device access beside entries and sessions. */
export function registerPublicCalls(app: App): void {
  registerOwn(app);
  registerChecks(app);
  route(app, {
    method: 'GET',
    path: '/devices/connect/:id/sessions',
    access: viewing,
    summary: 'Sessions through one entry.',
    tag,
    params: idParams,
    query: Type.Object({ active: Type.Optional(Type.Boolean()) }),
    programs: { types: sessionTypes },
    async handler({ ctx, actor, params, query }) {
      await requireEntry(ctx.reads, actor, params.id);
      let rows = visibleSessions(ctx.reads, actor).select('remote_sessions.id').where('remote_sessions.entry_id', '=', params.id);
      if (query.active !== undefined) rows = rows.where('remote_sessions.ended_at', query.active ? 'is' : 'is not', null);
      const found = await rows.orderBy('remote_sessions.id', 'desc').limit(MOST_SESSIONS).execute();
      const sessions = await findSessions(
        ctx.reads,
        actor,
        found.map(({ id }) => id),
      );
      const newestFirst = sessions.toSorted((left, right) => right.id - left.id);
      const asked = { url: entryAddress(ctx, params.id), now: ctx.clock.now() };
      return ok(newestFirst.map((session) => recordFor(actor, session, () => documentSession(session, asked))));
    },
  });
  route(app, {
    method: 'GET',
    path: '/devices/:id/connect-auto-scan',
    access: managing,
    forPrograms: true,
    summary: 'A device looks for services on itself and on the hosts that it knows (`ports=80,443`), for programs.',
    tag,
    params: idParams,
    query: Type.Object({ ports: Type.Optional(Type.String({ pattern: '^\\d{1,5}(,\\d{1,5}){0,15}$' })) }),
    handler: (call) => startScan(call, call.query.ports?.split(',').map(Number)),
  });
}
