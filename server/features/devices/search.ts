import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import type { DialectTools } from '../../db/dialect.ts';
import { hasText } from '../../kernel/apply-list-query.ts';
import { normaliseMac, searchNeedles } from '../../kernel/devices/search-text.ts';

const SEARCH_INDEX_MIN = 3;

/** A free text term as conditions on devices. */
export interface TextSearch {
  /** Reads `search_text` of each device that is looked at. */
  scan: Expression<SqlBool>;
  /** The ids that the search index finds, of all companies; undefined where the term is too short or the database uses an index by itself. */
  hits: RawBuilder<unknown> | undefined;
  /** The device whose number was typed in full. */
  exact: Expression<SqlBool>;
}

/** Makes the conditions for a term that is not empty. */
export function makeTextSearch(tools: DialectTools, term: string): TextSearch {
  const needles = searchNeedles(term);
  const column = sql.ref('devices.search_text');
  const scan = sql<SqlBool>`(${sql.join(
    needles.map((needle) => hasText(column, needle)),
    sql` or `,
  )})`;
  const isIndexed = needles.every((needle) => [...needle].length >= SEARCH_INDEX_MIN);
  const digits = term.replace(/[\s-]/g, '');
  const exact = [sql<SqlBool>`devices.serial in (${term.trim()}, ${digits})`, sql<SqlBool>`devices.imei = ${digits}`];
  const mac = normaliseMac(term);
  if (mac !== undefined) exact.push(sql<SqlBool>`devices.mac = ${mac}`);
  return {
    scan,
    hits: isIndexed ? tools.searchIndex?.('device_search', needles) : undefined,
    exact: sql<SqlBool>`(${sql.join(exact, sql` or `)})`,
  };
}
