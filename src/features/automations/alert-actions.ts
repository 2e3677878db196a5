import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import { openForm } from '../../engine/form/index.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';

/** The chosen alerts as the bulk calls take them: their ids, or the query of the list. */
function chosen({ rows, selection }: ActionContext): Record<string, JsonValue> {
  return selection.mode === 'all' ? { query: { ...selection.query } } : { alert_id: rows.map(({ id }) => Number(id)) };
}

async function send(form: 'alerts/acknowledge-many' | 'alerts/snooze-many', context: ActionContext): Promise<boolean> {
  const answer = await openForm(form, { initial: chosen(context) });
  if (answer) context.reload();
  return answer !== undefined;
}

/** Acknowledges the chosen alerts, however many they are. */
export const acknowledgeMany = (context: ActionContext): Promise<boolean> => send('alerts/acknowledge-many', context);

/** Puts the chosen alerts out of the way for some hours. */
export const snoozeMany = (context: ActionContext): Promise<boolean> => send('alerts/snooze-many', context);
