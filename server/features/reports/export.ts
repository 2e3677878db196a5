import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Answer } from '../../kernel/answer.ts';
import { exportAnswer, readExportOptions } from '../../kernel/export-answer.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { variablesIn } from './collected.ts';
import { requireGenerated } from './generated.ts';
import { textKey } from '../../kernel/apply-list-query.ts';

const TEXTS = ['name', 'serial', 'mac', 'company_name', 'site_name'] as const;
const ENDINGS = ['operator', 'connection_type', 'firmware'] as const;
const NUMBERS = [
  'sent',
  'received',
  'min_signal',
  'max_signal',
  'avg_signal',
  'min_temperature',
  'max_temperature',
  'avg_temperature',
  'router_uptime',
  'connection_uptime',
  'availability',
  'actions_done',
  'actions_failed',
  'alerts',
] as const;

/** Every device of a report that the actor sees, as a file. Throws NOT_FOUND, and INVALID_FIELD at `format`. */
export async function exportReport(ctx: Context, actor: Actor, id: number, query: unknown): Promise<Answer> {
  const { options } = readExportOptions(query);
  const variables = variablesIn(await requireGenerated(ctx.reads, actor, id));
  const rows = ctx.reads
    .selectFrom('report_devices')
    .select([...TEXTS, ...NUMBERS, ...ENDINGS])
    .select((eb) =>
      variables.map(({ metric }) =>
        eb
          .selectFrom('report_values')
          .select('average')
          .whereRef('report_values.generated_id', '=', 'report_devices.generated_id')
          .whereRef('report_values.device_id', '=', 'report_devices.device_id')
          .where('metric', '=', metric)
          .as(metric),
      ),
    )
    .where('generated_id', '=', id)
    .where(isVisible(actor, 'report_devices'))
    .orderBy(textKey(sql.ref('name')))
    .orderBy('device_id');
  const columns = [
    ...TEXTS.map((header) => ({ header, kind: 'text' as const })),
    ...NUMBERS.map((header) => ({ header, kind: 'number' as const })),
    ...ENDINGS.map((header) => ({ header, kind: 'text' as const })),
    ...variables.map(({ label }) => ({ header: label, kind: 'number' as const })),
  ];
  return exportAnswer(ctx, { name: 'report', query: rows.compile(), columns, options });
}
