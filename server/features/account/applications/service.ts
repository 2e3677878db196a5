import type { Application, FormData } from '../../../../schemas/_generated/contract.ts';
import { permissionNames } from '../../../../schemas/_generated/contract.ts';
import { permissionsOfScope } from '../../../../schemas/kit/resources/token-scopes.ts';
import type { Context } from '../../../context.ts';
import type { Trx } from '../../../db/schema.ts';
import type { Actor, Caller } from '../../../kernel/actor.ts';
import { writeAudit } from '../../../kernel/audit.ts';
import { hashToken, randomToken } from '../../../kernel/auth/tokens.ts';
import { afterCommit, inTransaction } from '../../../kernel/db/database.ts';
import { InvalidFields, NameTaken, NotFound } from '../../../kernel/errors.ts';
import { requireCompany } from '../../../kernel/tenancy.ts';
import { refuseDuplicate } from '../../../kernel/unique-conflicts.ts';
import { findApplication, presentApplication, type ApplicationRow } from './repo.ts';

const CLIENT_ID_BYTES = 16;
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

// `*` is never a wildcard here, and `\\` is a `/` to browsers and none to others.
const NOT_PLAIN = /[\s\\*#<>"'`{}|^\u0000-\u001f\u007f]/;
// `https://name@host/`, also with an empty name.
const WITH_USER = /^[^/?]*:\/\/[^/?]*@/;

/** Whether an address is written as browsers write it: no `..`, no other spelling of the host, no port that goes without saying. */
function isAsWritten(text: string, { href }: URL): boolean {
  return [href, href.replace(/\/$/, '')].some((written) => written.toLowerCase() === text.toLowerCase());
}

/** Whether an application may be called back there: https, http on the same machine, or a scheme of its own such as `com.example.app:` (RFC 8252). */
export function isRedirectUri(text: string): boolean {
  const url = URL.parse(text);
  if (!url || NOT_PLAIN.test(text) || WITH_USER.test(text) || !isAsWritten(text, url)) return false;
  if (url.protocol === 'https:') return true;
  if (url.protocol === 'http:') return LOOPBACK.has(url.hostname);
  return /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/.test(url.protocol);
}

function assertUsable({ redirect_uris, scopes }: Pick<FormData['applications/new'], 'redirect_uris' | 'scopes'>): void {
  const faults = redirect_uris.flatMap((uri, index) =>
    isRedirectUri(uri)
      ? []
      : [
          {
            source: `redirect_uris.${index}`,
            message: 'Use an https address, http://localhost, or a scheme such as com.example.app:/done.',
          },
        ],
  );
  const unknown = scopes.flatMap((scope, index) =>
    permissionsOfScope(scope, permissionNames).length > 0 ? [] : [{ source: `scopes.${index}`, message: 'There is no such scope.' }],
  );
  if (faults.length + unknown.length > 0) throw new InvalidFields([...faults, ...unknown]);
}

async function requireApplication(trx: Trx, actor: Actor, id: number, now: number): Promise<ApplicationRow> {
  const row = await findApplication(trx, actor, id, now);
  if (!row) throw new NotFound({});
  return row;
}

function keptOf({ secret_hash, company_name: _name, company_path: _path, users_count: _count, ...kept }: ApplicationRow) {
  return { ...kept, is_confidential: secret_hash !== null };
}

function auditApplication(
  trx: Trx,
  { actor, origin }: Caller,
  at: number,
  { action, before, after }: { action: string; before: ApplicationRow | null; after: ApplicationRow | null },
): Promise<void> {
  const row = after ?? before;
  return writeAudit(trx, { actor, origin, at }, [
    {
      action,
      entity: 'application',
      entityId: row?.id ?? null,
      entityName: row?.name ?? '',
      companyId: row?.company_id ?? null,
      before: before && keptOf(before),
      after: after && keptOf(after),
    },
  ]);
}

const taken = (name: string) => (cause: unknown) => new NameTaken({ name }, { source: 'name', cause });

/** One application. Throws NOT_FOUND. */
export async function getApplication(ctx: Context, actor: Actor, id: number): Promise<Application> {
  const row = await findApplication(ctx.reads, actor, id, ctx.clock.now());
  if (!row) throw new NotFound({});
  return presentApplication(row);
}

/** Registers an application; the answer is the only place where its secret is ever shown. Throws NOT_FOUND at `company_id`, INVALID_FIELD, NAME_TAKEN. */
export async function createApplication(ctx: Context, caller: Caller, input: FormData['applications/new']): Promise<Application> {
  const { actor } = caller;
  const at = ctx.clock.now();
  assertUsable(input);
  const secret = input.is_confidential ? randomToken() : null;
  return refuseDuplicate(
    () =>
      inTransaction(ctx.db, async (trx) => {
        const company = await requireCompany(trx, actor, input.company_id, 'company_id');
        const { id } = await trx
          .insertInto('applications')
          .values({
            company_id: company.id,
            name: input.name,
            description: input.description ?? '',
            client_id: randomToken(CLIENT_ID_BYTES),
            secret_hash: secret && hashToken(secret),
            redirect_uris: JSON.stringify(input.redirect_uris),
            scopes: JSON.stringify(input.scopes),
            created_at: at,
            updated_at: at,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        const row = await requireApplication(trx, actor, id, at);
        await auditApplication(trx, caller, at, { action: 'applications.new', before: null, after: row });
        return presentApplication(row, secret);
      }),
    taken(input.name),
  );
}

/** Changes an application; tokens that people gave it stay. Throws NOT_FOUND, INVALID_FIELD, NAME_TAKEN. */
export async function editApplication(
  ctx: Context,
  caller: Caller,
  id: number,
  input: FormData['applications/edit'],
): Promise<Application> {
  const at = ctx.clock.now();
  assertUsable(input);
  return refuseDuplicate(
    () =>
      inTransaction(ctx.db, async (trx) => {
        const before = await requireApplication(trx, caller.actor, id, at);
        await trx
          .updateTable('applications')
          .set({
            name: input.name,
            description: input.description ?? '',
            redirect_uris: JSON.stringify(input.redirect_uris),
            scopes: JSON.stringify(input.scopes),
            updated_at: at,
          })
          .where('id', '=', id)
          .execute();
        const after = await requireApplication(trx, caller.actor, id, at);
        await auditApplication(trx, caller, at, { action: 'applications.edit', before, after });
        return presentApplication(after);
      }),
    taken(input.name),
  );
}

/** Another secret in place of the one that an application has; the former one ends at once. Throws NOT_FOUND. */
export async function renewSecret(ctx: Context, caller: Caller, id: number): Promise<Application> {
  const at = ctx.clock.now();
  const secret = randomToken();
  return inTransaction(ctx.db, async (trx) => {
    const before = await requireApplication(trx, caller.actor, id, at);
    await trx
      .updateTable('applications')
      .set({ secret_hash: hashToken(secret), updated_at: at })
      .where('id', '=', id)
      .execute();
    const after = await requireApplication(trx, caller.actor, id, at);
    await auditApplication(trx, caller, at, { action: 'applications.new-secret', before, after });
    return presentApplication(after, secret);
  });
}

/** Removes an application with all that people let it do. Throws NOT_FOUND. */
export async function removeApplication(ctx: Context, caller: Caller, id: number): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const row = await requireApplication(trx, caller.actor, id, at);
    const tokens = await trx.selectFrom('access_tokens').select('id').where('application_id', '=', id).execute();
    await trx.deleteFrom('applications').where('id', '=', id).execute();
    await auditApplication(trx, caller, at, { action: 'applications.remove', before: row, after: null });
    afterCommit(trx, () => tokens.forEach((token) => ctx.live.closeSockets({ tokenId: token.id })));
  });
}
