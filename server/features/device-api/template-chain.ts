import { mergeCalls, type TemplateCall } from '../../../schemas/kit/devices/configuration-template.ts';
import type { Db, Row } from '../../db/schema.ts';
import { TemplateCircle } from './errors.ts';

export type TemplateRow = Row<'configuration_templates'>;

const MOST_BASES = 8;

/** The calls that a row keeps. */
export const callsIn = (row: Pick<TemplateRow, 'template'>): TemplateCall[] => JSON.parse(row.template) as TemplateCall[];

/** The template and those that it builds on, from the lowest one up. Throws TEMPLATE_CIRCLE with their names. */
export async function chainOf(db: Db, row: TemplateRow): Promise<TemplateRow[]> {
  const chain = [row];
  for (let baseId = row.base_id; baseId !== null; baseId = chain[0]?.base_id ?? null) {
    const base = await db.selectFrom('configuration_templates').selectAll().where('id', '=', baseId).executeTakeFirst();
    if (!base) break;
    const isCircle = chain.some(({ id }) => id === base.id);
    chain.unshift(base);
    if (isCircle || chain.length > MOST_BASES)
      throw new TemplateCircle(
        {
          names: chain
            .toReversed()
            .map(({ name }) => name)
            .join(' → '),
        },
        { source: 'base_id' },
      );
  }
  return chain;
}

/** The calls of a template together with those of what it builds on. */
export const allCalls = async (db: Db, row: TemplateRow): Promise<TemplateCall[]> =>
  (await chainOf(db, row)).map(callsIn).reduce((base, own) => mergeCalls(base, own), []);
