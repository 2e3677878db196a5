import { appliesTo } from '../../engine/actions/applicability.ts';
import { runAction } from '../../engine/actions/run-action.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import { recordTitle, type Row } from '../../engine/resources/resource.ts';
import { actionLabel, ruleText } from '../../engine/table/labels.ts';
import { failureMessage } from '../../kernel/http/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import type { RecordAction } from './commands.ts';

/** Does an action to a record, as its list would: not to one that the action's rule leaves out, and says why. */
export async function runOnRecord({ action, resource }: RecordAction, id: number): Promise<void> {
  try {
    const { data: row } = await dataProvider.getOne<Row>({ resource: resource.name, id });
    if (appliesTo(action, row)) await runAction({ action, resource, target: { kind: 'record', row }, reload: () => undefined });
    else toasts.warning(`${recordTitle(resource, row)}: ${ruleText(resource, action)}`);
  } catch (error) {
    toasts.error(failureMessage(error, { fallback: actionLabel(action) }));
  }
}
