import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Button, findIconName, Menu, type MenuEntry } from '../../ui/index.ts';
import type { ActionEntry, ColumnEntry } from '../../../schemas/kit/resources/resource-types.ts';
import { actionsAt } from '../actions/applicability.ts';
import type { Resource } from '../resources/resource.ts';
import { ExportButton } from './ExportButton.tsx';
import { actionLabel } from './labels.ts';
import { RefreshControl } from './RefreshControl.tsx';
import type { Selection } from './selection.ts';
import type { RefreshMode } from './RefreshControl.tsx';

export interface HeaderActionsProps {
  resource: Resource;
  mode: RefreshMode;
  onMode: (mode: RefreshMode) => void;
  query: Readonly<Record<string, string>>;
  columns: readonly ColumnEntry[];
  selection: Selection;
  isNarrow: boolean;
  viewName: string | undefined;
  onAction: (action: ActionEntry) => void;
}

/** Buttons beside the primary one; what is more, or dangerous, is in a menu, and on a narrow screen all of them. */
const MAX_BUTTONS = 2;

/** The buttons at the head of a list: how it stays up to date, export, and the resource's own; the primary one last. */
export function HeaderActions({ resource, mode, onMode, query, columns, selection, isNarrow, viewName, onAction }: HeaderActionsProps) {
  const can = useCan();
  const t = useT();
  const own = actionsAt(resource, 'header', can);
  const most = isNarrow && own.length > 1 ? 0 : MAX_BUTTONS;
  const buttons = own.filter((action) => !action.primary && !action.danger && !action.isSeldom).slice(0, most);
  const rest = own.filter((action) => !action.primary && !buttons.includes(action));
  return (
    <>
      <RefreshControl resource={resource} mode={mode} onChange={onMode} />
      <ExportButton resource={resource} query={query} columns={columns} selection={selection} viewName={viewName} />
      {buttons.map((action) => (
        <ActionButton key={action.id} action={action} onAction={onAction} />
      ))}
      {rest.length > 0 ? (
        <Menu label={t('table.moreActions')} entries={rest.map((action) => menuEntry(action, onAction))}>
          <Button icon="ellipsis" aria-label={t('table.moreActions')} />
        </Menu>
      ) : null}
      {own
        .filter((action) => action.primary)
        .map((action) => (
          <ActionButton key={action.id} action={action} onAction={onAction} />
        ))}
    </>
  );
}

function menuEntry(action: ActionEntry, onAction: (action: ActionEntry) => void): MenuEntry {
  return {
    id: action.id,
    label: actionLabel(action),
    icon: findIconName(action.icon),
    isDanger: action.danger,
    ...(action.kind === 'link' ? { to: action.to } : { onSelect: () => onAction(action) }),
  };
}

/** The page's primary action again, for an empty list; nothing where the user may not use it. */
export function PrimaryAction({ resource, onAction }: Pick<HeaderActionsProps, 'resource' | 'onAction'>) {
  const can = useCan();
  const action = actionsAt(resource, 'header', can).find((candidate) => candidate.primary);
  // Drawn as a plain button: the filled one of the page is in its head.
  return action ? (
    <Button icon={findIconName(action.icon)} onClick={() => onAction(action)}>
      {actionLabel(action)}
    </Button>
  ) : null;
}

function ActionButton({ action, onAction }: { action: ActionEntry; onAction: (action: ActionEntry) => void }) {
  return (
    <Button
      icon={findIconName(action.icon)}
      variant={action.primary ? 'primary' : action.danger ? 'danger' : 'default'}
      to={action.kind === 'link' ? action.to : undefined}
      onClick={() => onAction(action)}
    >
      {actionLabel(action)}
    </Button>
  );
}
