import { openDialog, registerDialog } from '../../engine/dialogs/index.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';
import { isChange } from './history-cells.tsx';

registerDialog('history.change', () => import('./ChangeDialog.tsx'));

/** Opens a change of the list with its records. */
export async function showChange({ rows: [row], reload }: ActionContext): Promise<void> {
  if (row && isChange(row)) await openDialog('history.change', { change: row, onUndone: reload });
}
