import { openDialog } from '../../engine/dialogs/index.ts';
import { openForm } from '../../engine/form/index.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';
import { api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';

/** So many SIMs take one limit at once. */
const MOST = 1000;

/** Opens the details of the chosen SIM. */
export async function openSim({ rows, reload }: ActionContext): Promise<void> {
  const [row] = rows;
  if (row) await openDialog('sims.details', { id: row.id, iccid: String(row['iccid'] ?? ''), onChanged: reload }, { id: `sim-${row.id}` });
}

/** The numbers of the chosen SIMs; of all that match, as the list has them now. */
async function idsOf({ rows, selection }: ActionContext): Promise<number[]> {
  if (selection.mode !== 'all') return rows.map(({ id }) => Number(id));
  const { data } = await api.get<{ id: number }[]>('/sims', {
    query: { ...selection.query, fields: 'id', limit: String(MOST), offset: '0' },
  });
  return data.map(({ id }) => id);
}

/** Asks for a limit and sets it for the chosen SIMs. */
export async function limitSims(context: ActionContext): Promise<boolean> {
  try {
    const ids = await idsOf(context);
    const answer = await openForm('sims/limit', { initial: { sim_id: ids } });
    if (answer) context.reload();
    return answer !== undefined;
  } catch (error) {
    if (!isCancelled(error)) toasts.error(failureMessage(error));
    return false;
  }
}
