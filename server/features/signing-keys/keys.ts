import { sql } from 'kysely';
import type { FormData, SigningKey } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { readPublicKey } from '../../domain/signatures/signature.ts';
import { isVisible, requireCompany } from '../../kernel/tenancy.ts';

type KeyRow = Row<'signing_keys'> & { company_name: string };

const columns: ListColumns = {
  id: sql.ref('signing_keys.id'),
  sorts: {
    id: { by: sql.ref('signing_keys.id') },
    name: byText('signing_keys.name'),
    company_name: byText('companies.name'),
    created_at: { by: sql.ref('signing_keys.created_at') },
  },
  filters: { company_id: (values) => isOneOf(sql.ref('signing_keys.company_id'), integers(values)) },
  search: (text) => containsText([sql.ref('signing_keys.name'), sql.ref('signing_keys.key_id')], text),
};

const present = (row: KeyRow): SigningKey => ({
  id: row.id,
  company_id: row.company_id,
  company_name: row.company_name,
  name: row.name,
  key_id: row.key_id,
  public_key: row.public_key,
  user_name: row.user_name,
  created_at: wireTime(row.created_at),
});

function selectKeys(db: Db, actor: Actor) {
  return db
    .selectFrom('signing_keys')
    .innerJoin('companies', 'companies.id', 'signing_keys.company_id')
    .selectAll('signing_keys')
    .select('companies.name as company_name')
    .where(isVisible(actor, 'signing_keys'));
}

async function requireKey(db: Db, actor: Actor, id: number): Promise<KeyRow> {
  const row = await selectKeys(db, actor).where('signing_keys.id', '=', id).executeTakeFirst();
  if (!row) throw new NotFound({});
  return row;
}

/** One page of the keys that the actor sees. */
export async function listKeys(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: SigningKey[]; total: number }> {
  const { rows, total } = await applyListQuery(selectKeys(db, actor), query, columns);
  return { rows: rows.map(present), total };
}

/** One key. Throws NOT_FOUND. */
export async function getKey(ctx: Context, actor: Actor, id: number): Promise<SigningKey> {
  return present(await requireKey(ctx.reads, actor, id));
}

async function audit(trx: Trx, { actor, origin }: Caller, at: number, action: 'new' | 'remove', row: Row<'signing_keys'>) {
  const entry = {
    action: `signing-keys.${action}`,
    entity: 'signing_key',
    entityId: row.id,
    entityName: row.name,
    companyId: row.company_id,
  };
  const [before, after] = action === 'new' ? [null, { ...row }] : [{ ...row }, null];
  await writeAudit(trx, { actor, origin, at }, [{ ...entry, before, after }]);
}

/** Adds a key: from now on devices of its company and those below get only firmware signed with one of their keys. Throws INVALID_FIELD, NOT_FOUND. */
export async function addKey(ctx: Context, caller: Caller, body: FormData['signing-keys/new']): Promise<number> {
  const key = readPublicKey(body.public_key);
  const fault = (message: string, text: string) => new InvalidFields([{ source: 'public_key', message, params: { key: text } }]);
  if (!key) throw fault('This is no public key of minisign or usign.', 'forms.signing-keys.no_key');
  const at = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const { actor } = caller;
    const company = await requireCompany(trx, actor, body.company_id ?? actor.companyId, 'company_id');
    const known = await selectKeys(trx, actor)
      .where('signing_keys.company_id', '=', company.id)
      .where('signing_keys.public_key', '=', key.publicKey)
      .executeTakeFirst();
    if (known) throw fault('The company already has this key.', 'forms.signing-keys.known');
    const row = await trx
      .insertInto('signing_keys')
      .values({
        company_id: company.id,
        name: body.name,
        key_id: key.keyId,
        public_key: key.publicKey,
        user_name: actor.name,
        created_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit(trx, caller, at, 'new', row);
    return row.id;
  });
}

/** Removes a key. Without any key left, firmware needs no signature. Throws NOT_FOUND. */
export async function removeKey(ctx: Context, caller: Caller, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { company_name: _name, ...row } = await requireKey(trx, caller.actor, id);
    await trx.deleteFrom('signing_keys').where('id', '=', id).execute();
    await audit(trx, caller, ctx.clock.now(), 'remove', row);
  });
}
