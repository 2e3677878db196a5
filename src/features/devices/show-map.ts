import { openDialog } from '../../engine/dialogs/index.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';

/** Shows the chosen devices on a map, or all that match. */
export function showOnMap({ selection }: ActionContext): void {
  const query = selection.mode === 'all' ? selection.query : { id: [...selection.rows.keys()].join(',') };
  void openDialog('devices.map', { query });
}
