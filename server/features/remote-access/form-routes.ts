import { created, ok } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { idParams } from '../../kernel/ids.ts';
import { languageOfCall } from '../../kernel/language.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { checkEntry } from './check.ts';
import { askConsent, decideConsent, listConsents } from './consents.ts';
import { addEntries, assertOpenable, editEntry, removeEntries, setBlocked, setFavourite } from './entries.ts';
import { addFound, getFound, listFound, scanKind } from './scan-results.ts';
import { endSession } from './history.ts';
import { addLink, connectShared, listLinks, listShared, revokeLink } from './links.ts';
import { addKey, editKey, getKey, listKeys, removeKey } from './keys.ts';
import { getEntry } from './read-entries.ts';
import { dropRules, getRules, putRules } from './rules.ts';
import { readTerms } from './terms.ts';

const viewing = { permission: 'view_device_remote_access' } as const;
const managing = { permission: 'update_device_remote_access' } as const;
const tag = 'remote access';
const LONGEST_SECONDS = 43_200;
const recordId = () => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** Registers the calls of the console's dialogs about entries. */
export function registerEntryForms(app: App): void {
  app.ctx.jobs.register(scanKind);
  formRoute(app, 'remote-access/new', async ({ ctx, actor, origin, body }) => {
    assertOpenable(body.protocol);
    const ids = await addEntries(ctx, { actor, origin }, [body], () => '');
    return created({ id: ids[0] }, { id: ids[0] ?? null });
  });
  route(app, {
    method: 'GET',
    path: '/remote/entries/:id',
    access: viewing,
    summary: 'One entry as its dialog shows it.',
    tag,
    params: idParams,
    async handler({ ctx, actor, params }) {
      const { tags, credentials_required, keyboard, ...entry } = await getEntry(ctx.reads, actor, params.id);
      const layout = keyboard === '' ? {} : { keyboard };
      return ok({ ...entry, ...layout, credentials_required: credentials_required === 1, tag_id: tags.map(({ id }) => id) });
    },
  });
  formRoute(app, 'remote-access/edit', async ({ ctx, actor, origin, params, body }) => {
    const before = await getEntry(ctx.reads, actor, params.id);
    if (before.protocol !== body.protocol) assertOpenable(body.protocol);
    await editEntry(ctx, { actor, origin }, params.id, { login_domain: '', ...body });
    return ok();
  });
  formRoute(app, 'remote-access/remove', async ({ ctx, actor, origin, params }) => {
    await removeEntries(ctx, { actor, origin }, [params.id]);
    return ok();
  });
  formRoute(app, 'remote-access/block', async ({ ctx, actor, origin, params }) => {
    await setBlocked(ctx, { actor, origin }, params.id, true);
    return ok();
  });
  formRoute(app, 'remote-access/unblock', async ({ ctx, actor, origin, params }) => {
    await setBlocked(ctx, { actor, origin }, params.id, false);
    return ok();
  });
  route(app, {
    method: 'POST',
    path: '/remote/entries/:id/check',
    access: { anyOf: ['execute_device_remote_access', 'update_device_remote_access'] },
    summary: 'Tries whether something answers at an entry.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok({ id: params.id, state: await checkEntry(ctx, actor, params.id) }),
  });
  route(app, {
    method: 'PUT',
    path: '/remote/entries/:id/favourite',
    access: viewing,
    tokens: 'none',
    summary: 'Puts an entry among the caller’s favourites, or takes it from there.',
    tag,
    params: idParams,
    body: Type.Object({ is_favourite: Type.Boolean() }, { additionalProperties: false }),
    async handler({ ctx, actor, params, body }) {
      await setFavourite(ctx, actor, params.id, body.is_favourite);
      return ok();
    },
  });
  registerFound(app);
  registerLinks(app);
  registerKeys(app);
  route(app, {
    method: 'GET',
    path: '/remote/terms',
    access: 'signed-in',
    tokens: 'by-scope',
    summary: 'What a session will use, before it is opened: to an entry, to one that was shared with the caller, or to a device itself.',
    tag,
    query: Type.Object({ entry: Type.Optional(recordId()), link: Type.Optional(recordId()), device: Type.Optional(recordId()) }),
    handler: async ({ ctx, actor, query }) => ok(await readTerms(ctx, actor, query)),
  });
  registerConsents(app);
  formRoute(app, 'remote-access/end', async ({ ctx, actor, params }) => {
    await endSession(ctx, actor, params.id);
    return ok();
  });
  route(app, {
    method: 'GET',
    path: '/companies/:id/remote-access',
    access: managing,
    summary: 'What a company asks of remote access to its devices.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getRules(ctx, actor, params.id)),
  });
  formRoute(app, 'remote-access/follow', async ({ ctx, actor, origin, params }) => {
    await dropRules(ctx, { actor, origin }, params.id);
    return ok();
  });
  formRoute(app, 'remote-access/rules', async ({ ctx, actor, origin, params, body }) => {
    await putRules(ctx, { actor, origin }, params.id, body);
    return ok();
  });
}

function registerFound(app: App): void {
  listRoute(app, {
    path: '/remote/found',
    access: managing,
    summary: 'Services that devices have found on themselves and behind them.',
    tag,
    rules: listRulesOf('found-services', { sorts: ['id'], isSearchable: true }),
    list: (ctx, actor, query) => listFound(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/remote/found/:id',
    access: managing,
    summary: 'A service that was found, as the beginning of an entry.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getFound(ctx.reads, actor, params.id)),
  });
  formRoute(app, 'remote-access/add-found', async ({ ctx, actor, origin, params, body }) => {
    assertOpenable(body.protocol);
    const ids = await addFound(ctx, { actor, origin }, params.id, body);
    return created({ id: ids[0] }, { id: ids[0] ?? null });
  });
}

function registerLinks(app: App): void {
  listRoute(app, {
    path: '/remote/links',
    access: managing,
    summary: 'Access to entries that single persons were given for a time.',
    tag,
    rules: listRulesOf('remote-links', { sorts: ['id'], isSearchable: true }),
    list: listLinks,
  });
  formRoute(app, 'remote-access/share', async ({ ctx, actor, origin, params, body, request }) => {
    const { id, mail } = await addLink(ctx, { actor, origin }, params.id, body, languageOfCall(request.headers));
    return created({ id, mail }, { id });
  });
  formRoute(app, 'remote-access/revoke', async ({ ctx, actor, origin, params }) => {
    await revokeLink(ctx, { actor, origin }, params.id);
    return ok();
  });
  listRoute(app, {
    path: '/remote/shared',
    access: 'signed-in',
    tokens: 'none',
    summary: 'Entries that were shared with the caller.',
    tag,
    rules: listRulesOf('shared-access', { sorts: ['id'], isSearchable: true }),
    list: listShared,
  });
  route(app, {
    method: 'POST',
    path: '/remote/shared/:id/connect',
    access: 'signed-in',
    tokens: 'none',
    summary: 'Opens a session to an entry that was shared with the caller.',
    tag,
    params: idParams,
    body: Type.Object({ duration: Type.Integer({ minimum: 10, maximum: LONGEST_SECONDS }) }, { additionalProperties: false }),
    handler: async ({ ctx, actor, origin, params, body }) => ok(await connectShared(ctx, { actor, origin }, params.id, body.duration)),
  });
}

function registerConsents(app: App): void {
  route(app, {
    method: 'POST',
    path: '/remote/consents',
    access: 'signed-in',
    tokens: 'by-scope',
    summary: 'Asks the company of a device for its consent to remote access of the caller, where it wants to be asked.',
    tag,
    body: Type.Object(
      {
        entry: Type.Optional(recordId()),
        link: Type.Optional(recordId()),
        device: Type.Optional(recordId()),
        purpose: Type.String({ minLength: 3, maxLength: 200 }),
      },
      { additionalProperties: false },
    ),
    async handler({ ctx, actor, origin, body }) {
      await askConsent(ctx, { actor, origin }, body);
      return created();
    },
  });
  listRoute(app, {
    path: '/remote/consents',
    access: managing,
    summary: 'Who asked for remote access to devices whose company wants to be asked.',
    tag,
    rules: listRulesOf('remote-consents', { sorts: ['id'], isSearchable: true }),
    list: listConsents,
  });
  formRoute(app, 'remote-access/allow-consent', async ({ ctx, actor, origin, params, body }) => {
    await decideConsent(ctx, { actor, origin }, params.id, body.hours);
    return ok();
  });
  formRoute(app, 'remote-access/refuse-consent', async ({ ctx, actor, origin, params }) => {
    await decideConsent(ctx, { actor, origin }, params.id, undefined);
    return ok();
  });
}

function registerKeys(app: App): void {
  const access = { permission: 'execute_device_remote_access' } as const;
  listRoute(app, {
    path: '/remote/keys',
    access,
    summary: 'Buttons of terminals that send text: the own ones, and those that are shared with the caller.',
    tag,
    rules: listRulesOf('terminal-keys', { sorts: ['id'], isSearchable: true }),
    list: (ctx, actor, query) => listKeys(ctx.reads, actor, query),
  });
  route(app, {
    method: 'GET',
    path: '/remote/keys/:id',
    access,
    summary: 'One button of terminals.',
    tag,
    params: idParams,
    handler: async ({ ctx, actor, params }) => ok(await getKey(ctx.reads, actor, params.id)),
  });
  formRoute(app, 'remote-access/new-key', async ({ ctx, actor, origin, body }) => {
    const id = await addKey(ctx, { actor, origin }, body);
    return created({ id }, { id });
  });
  formRoute(app, 'remote-access/edit-key', async ({ ctx, actor, origin, params, body }) => {
    await editKey(ctx, { actor, origin }, params.id, body);
    return ok();
  });
  formRoute(app, 'remote-access/remove-key', async ({ ctx, actor, origin, params }) => {
    await removeKey(ctx, { actor, origin }, params.id);
    return ok();
  });
}
