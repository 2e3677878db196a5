import { useNavigate } from 'react-router';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Button, findIconName, IconButton, Menu } from '../../ui/index.ts';
import type { ActionEntry } from '../../../schemas/kit/resources/resource-types.ts';
import { useWithAddedForms } from '../form/added-form-entries.ts';
import { getResource } from '../resources/all.ts';
import { recordTitle } from '../resources/resource.ts';
import type { Row } from '../resources/resource.ts';
import { actionsAt } from './applicability.ts';
import { actionEntries } from './action-entries.ts';
import { runAction } from './run-action.ts';

export interface PageActionsProps {
  /** The resource's name. */
  resource: string;
  row: Row;
  /** Loads the page again. */
  onDone: () => void;
}

// The words of more than three do not fit beside a long name.
const SHOWN = 3;
const SHOWN_BEFORE_MENU = 2;

/** What can be done with the record of a page: the first as buttons, the rest in a menu. After a removal the list follows, because the page is gone. */
export function PageActions({ resource: name, row, onDone }: PageActionsProps) {
  const t = useT();
  const can = useCan();
  const navigate = useNavigate();
  const resource = useWithAddedForms(getResource(name));
  const actions = actionsAt(resource, 'page', can);
  const entries = actionEntries(resource, row, actions, (action) => void run(action));
  const shown = actions.length <= SHOWN ? SHOWN : SHOWN_BEFORE_MENU;
  async function run(action: ActionEntry): Promise<void> {
    const isDone = await runAction({ action, resource, target: { kind: 'record', row }, reload: () => undefined });
    if (!isDone) return;
    if (action.id.endsWith('.remove') && resource.routes.list) await navigate(resource.routes.list);
    else onDone();
  }
  const rest = entries.slice(shown);
  return (
    <>
      {entries.slice(0, shown).map((entry) => (
        <Button
          key={entry.id}
          icon={findIconName(entry.icon)}
          variant={entry.isDanger ? 'danger' : 'default'}
          aria-disabled={entry.isDisabled}
          title={entry.detail}
          to={entry.isDisabled ? undefined : entry.to}
          onClick={entry.isDisabled ? undefined : entry.onSelect}
        >
          {entry.label}
        </Button>
      ))}
      {rest.length > 0 ? (
        <Menu label={t('table.rowActions', { name: recordTitle(resource, row) })} entries={rest}>
          <IconButton icon="ellipsis" label={t('table.moreActions')} hasBorder />
        </Menu>
      ) : null}
    </>
  );
}
