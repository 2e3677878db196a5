import { sql } from 'kysely';
import type { EmailConfiguration, FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, integers, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isMailPort, sealMailPassword } from '../../kernel/mail/mailer-for.ts';
import { isVisible, isWithin, requireCompany } from '../../kernel/tenancy.ts';

type Stored = Row<'email_configurations'>;
type Input = FormData['mail/new-configuration'];

const MOST_SERVERS = 20;

const column = (name: string) => sql.ref(`email_configurations.${name}`);
const columns: ListColumns = {
  id: sql.ref('email_configurations.id'),
  search: (text) => containsText([column('name'), column('email'), column('host')], text),
  sorts: {
    name: byText(column('name')),
    email: byText(column('email')),
    company_name: byText('companies.name'),
    created_at: { by: column('created_at') },
  },
  filters: { company_id: (values) => isWithin(column('company_id'), integers(values)) },
};

function present({ sealed_password: _password, is_default, created_at, ...row }: Stored & { company_name: string }): EmailConfiguration {
  return { ...row, is_default: is_default === 1, created_at: wireTime(created_at) };
}

const visible = (db: Db, actor: Actor) =>
  db
    .selectFrom('email_configurations')
    .innerJoin('companies', 'companies.id', 'email_configurations.company_id')
    .where(isVisible(actor, 'email_configurations'))
    .selectAll('email_configurations')
    .select('companies.name as company_name');

/** One page of the mail servers of companies that the actor sees, without their passwords. */
export async function listConfigurations(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: EmailConfiguration[]; total: number }> {
  const { rows, total } = await applyListQuery(visible(db, actor), query, columns);
  return { rows: rows.map(present), total };
}

/** The stored row when the actor sees it. Throws NOT_FOUND. */
export async function requireConfiguration(db: Db, actor: Actor, id: number): Promise<Stored> {
  const row = await visible(db, actor).where('email_configurations.id', '=', id).executeTakeFirst();
  if (!row) throw new NotFound({});
  const { company_name: _company, ...stored } = row;
  return stored;
}

/** One mail server without its password. Throws NOT_FOUND. */
export async function getConfiguration(db: Db, actor: Actor, id: number): Promise<EmailConfiguration> {
  const row = await visible(db, actor).where('email_configurations.id', '=', id).executeTakeFirst();
  if (!row) throw new NotFound({});
  return present(row);
}

async function audit(
  trx: Trx,
  { actor, origin }: Caller,
  change: { verb: string; at: number; before: Stored | null; after: Stored | null },
): Promise<void> {
  const row = change.after ?? change.before;
  if (!row) return;
  const historyOf = (stored: Stored | null) => {
    if (!stored) return null;
    const { sealed_password: _password, ...kept } = stored;
    return kept;
  };
  await writeAudit(trx, { actor, origin, at: change.at }, [
    {
      action: `mail.${change.verb}`,
      entity: 'email_configuration',
      entityId: row.id,
      entityName: row.email,
      companyId: row.company_id,
      before: historyOf(change.before),
      after: historyOf(change.after),
    },
  ]);
}

function requireMailPort(ctx: Context, port: number): void {
  if (isMailPort(ctx, port)) return;
  throw new InvalidFields([
    { source: 'port', message: 'Mail servers listen at 25, 465, 587 or 2525.', params: { key: 'forms.mail.no_mail_port' } },
  ]);
}

/** Makes a server the default one of its company, in place of the one before; `id` undefined: the oldest, where none is. */
async function settleDefault(trx: Trx, companyId: number, id: number | undefined): Promise<void> {
  const servers = trx.selectFrom('email_configurations').where('company_id', '=', companyId);
  if (id === undefined && (await servers.select('id').where('is_default', '=', 1).executeTakeFirst())) return;
  const next = id ?? (await servers.select('id').orderBy('id').executeTakeFirst())?.id;
  const update = () => trx.updateTable('email_configurations').where('company_id', '=', companyId);
  await update().set({ is_default: 0 }).where('is_default', '=', 1).execute();
  if (next !== undefined) await update().set({ is_default: 1 }).where('id', '=', next).execute();
}

const readStored = (trx: Trx, id: number): Promise<Stored> =>
  trx.selectFrom('email_configurations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Keeps a mail server of a company; the first one is its default one. Throws NOT_FOUND at `company_id`, INVALID_FIELD at `port` or `name` for one too many. */
export async function addConfiguration(ctx: Context, caller: Caller, input: Input): Promise<number> {
  requireMailPort(ctx, input.port);
  const at = ctx.clock.now();
  const { password = '', username = '', is_default: isDefault = false, ...values } = input;
  return inTransaction(ctx.db, async (trx) => {
    const company = await requireCompany(trx, caller.actor, input.company_id, 'company_id');
    const known = await trx.selectFrom('email_configurations').select('id').where('company_id', '=', company.id).execute();
    if (known.length >= MOST_SERVERS)
      throw new InvalidFields([
        {
          source: 'name',
          message: `A company has at most ${MOST_SERVERS} mail servers.`,
          params: { key: 'forms.mail.too_many', max: MOST_SERVERS },
        },
      ]);
    const { id } = await trx
      .insertInto('email_configurations')
      .values({ ...values, username, sealed_password: sealMailPassword(ctx, company.id, password), created_at: at })
      .returning('id')
      .executeTakeFirstOrThrow();
    await settleDefault(trx, company.id, isDefault ? id : undefined);
    await audit(trx, caller, { verb: 'new-configuration', at, before: null, after: await readStored(trx, id) });
    return id;
  });
}

const isSameServer = (a: Stored, b: Pick<Input, 'host' | 'port' | 'security'>): boolean =>
  a.host === b.host && a.port === b.port && a.security === b.security;

/**
 * Changes what is named of a mail server; without a password the old one stays, but only for the same server: else a person who may change the host would have the password
 * sent to one of their own. Throws NOT_FOUND, INVALID_FIELD at `port` or `password`.
 */
export async function editConfiguration(
  ctx: Context,
  caller: Caller,
  id: number,
  input: Partial<FormData['mail/edit-configuration']>,
): Promise<void> {
  const { password, is_default: isDefault = false, ...named } = input;
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireConfiguration(trx, caller.actor, id);
    const { name = before.name, email = before.email, host = before.host, port = before.port, security = before.security } = named;
    const values = { name, email, host, port, security };
    // A form that was sent as a whole without a user name has had it emptied.
    const isWhole = Object.keys(values).every((field) => field in named);
    const { username = isWhole ? '' : before.username } = named;
    if (port !== before.port) requireMailPort(ctx, port);
    if (password === undefined && username !== '' && !isSameServer(before, values))
      throw new InvalidFields([
        {
          source: 'password',
          message: 'Enter the password again for another server.',
          params: { key: 'forms.mail.password_again' },
        },
      ]);
    const change = {
      ...values,
      username,
      ...(password === undefined ? {} : { sealed_password: sealMailPassword(ctx, before.company_id, password) }),
    };
    await trx.updateTable('email_configurations').set(change).where('id', '=', id).execute();
    if (isDefault && before.is_default === 0) await settleDefault(trx, before.company_id, id);
    await audit(trx, caller, { verb: 'edit-configuration', at: ctx.clock.now(), before, after: await readStored(trx, id) });
  });
}

/** Forgets a mail server: mails of the company go by its oldest other one, else by the next one above it. Throws NOT_FOUND. */
export async function removeConfiguration(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const before = await requireConfiguration(trx, caller.actor, id);
    await trx.deleteFrom('email_configurations').where('id', '=', id).execute();
    await settleDefault(trx, before.company_id, undefined);
    await audit(trx, caller, { verb: 'remove-configuration', at: ctx.clock.now(), before, after: null });
  });
}
