import permissionsFile from '../../schemas/permissions.json' with { type: 'json' };
import type { Db } from '../../server/db/schema.ts';
import { inTransaction } from '../../server/kernel/db/database.ts';

const ROWS_PER_INSERT = 200;
const FIRST = ['Ingrid', 'Kari', 'Ola', 'Yuki', 'Haruto', 'Olena', 'Taras', 'Aksel', 'Nora', 'Emil'];
const LAST = ['Lund', 'Berg', 'Tanaka', 'Shevchenko', 'Dahl', 'Sato', 'Koval', 'Vik'];

/** Adds people to a filled database until there are `users`, spread evenly over the companies: most with one company, every tenth with two. */
export async function fillPeople(db: Db, users: number, at: number): Promise<void> {
  const roleId = permissionsFile.roles.find((role) => role.key === 'end_user')?.id ?? 0;
  const companies = await db.selectFrom('companies').select('id').orderBy('id').execute();
  const companyOf = (index: number): number => companies[index % companies.length]?.id ?? 0;
  await inTransaction(db, async (trx) => {
    for (let start = 0; start < users; start += ROWS_PER_INSERT) {
      const indexes = Array.from({ length: Math.min(ROWS_PER_INSERT, users - start) }, (_, offset) => start + offset);
      const people = indexes.map((index) => {
        const [first_name, last_name] = [FIRST[index % FIRST.length] ?? '', `${LAST[index % LAST.length] ?? ''} ${index}`];
        return {
          ...{ email: `person-${index}@fleet.example`, username: `${first_name} ${last_name}`, first_name, last_name, password_hash: '' },
          ...{ company_id: companyOf(index), last_login_at: null, created_at: at, updated_at: at },
        };
      });
      const rows = await trx.insertInto('users').values(people).returning(['id', 'company_id']).execute();
      const members = rows.flatMap(({ id, company_id }, offset) => {
        const places = (start + offset) % 10 === 0 ? [company_id, companyOf(start + offset + 1)] : [company_id];
        return places.map((place) => ({
          user_id: id,
          company_id: place,
          role_id: roleId,
          disabled_at: null,
          created_at: at,
          updated_at: at,
        }));
      });
      await trx.insertInto('memberships').values(members).execute();
    }
  });
}
