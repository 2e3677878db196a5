import { sql, type Expression, type SqlBool } from 'kysely';
import type { DialectTools } from '../../db/dialect.ts';
import type { Db } from '../../db/schema.ts';
import { normaliseMac, searchNeedles } from '../../kernel/devices/search-text.ts';

const SEARCH_INDEX_MIN = 3;

/** A free text term as conditions on devices. */
export interface TextSearch {
  /** Reads `search_text` of each device that is looked at. */
  scan: Expression<SqlBool>;
  /** Looks the devices up in the search index; undefined where the term is too short or the database does so by itself. */
  index: Expression<SqlBool> | undefined;
  /** How many devices of all companies the search index finds, counted no further than `limit`. Only an estimate of work: never shown. */
  probe(db: Db, limit: number): Promise<number>;
  /** The device whose number was typed in full. */
  exact: Expression<SqlBool>;
}

/** Makes the conditions for a term that is not empty. */
export function makeTextSearch(tools: DialectTools, term: string): TextSearch {
  const needles = searchNeedles(term);
  const column = sql.ref('devices.search_text');
  const scan = sql<SqlBool>`(${sql.join(
    needles.map((needle) => tools.contains(column, needle)),
    sql` or `,
  )})`;
  const isIndexed = tools.searchIndex !== undefined && needles.every((needle) => needle.length >= SEARCH_INDEX_MIN);
  const hits = isIndexed && tools.searchIndex ? tools.searchIndex(needles) : undefined;
  const digits = term.replace(/[\s-]/g, '');
  const exact = [sql<SqlBool>`devices.serial = ${term.trim()}`, sql<SqlBool>`devices.imei = ${digits}`];
  const mac = normaliseMac(term);
  if (mac !== undefined) exact.push(sql<SqlBool>`devices.mac = ${mac}`);
  return {
    scan,
    index: hits && sql<SqlBool>`devices.id in ${hits}`,
    async probe(db, limit) {
      if (!hits) return limit;
      const counted = await sql<{ hits: number }>`select count(*) as hits from (select 1 from ${hits} limit ${limit})`.execute(db);
      return counted.rows[0]?.hits ?? 0;
    },
    exact: sql<SqlBool>`(${sql.join(exact, sql` or `)})`,
  };
}
