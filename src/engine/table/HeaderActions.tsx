import { useCan } from '../../kernel/session/index.ts';
import { Button } from '../../ui/Button.tsx';
import { findIconName } from '../../ui/Icon.tsx';
import type { ActionEntry, ColumnEntry } from '../../../schemas/kit/resource-types.ts';
import { actionsAt } from '../actions/applicability.ts';
import type { Resource } from '../resources/resource.ts';
import { ExportButton } from './ExportButton.tsx';
import { actionLabel } from './labels.ts';
import { RefreshControl } from './RefreshControl.tsx';
import type { RefreshMode } from './RefreshControl.tsx';

export interface HeaderActionsProps {
  resource: Resource;
  mode: RefreshMode;
  onMode: (mode: RefreshMode) => void;
  query: Readonly<Record<string, string>>;
  columns: readonly ColumnEntry[];
  onAction: (action: ActionEntry) => void;
}

/** The buttons at the head of a list: how it stays up to date, export, and the resource's own; the primary one last. */
export function HeaderActions({ resource, mode, onMode, query, columns, onAction }: HeaderActionsProps) {
  const can = useCan();
  const own = actionsAt(resource, 'header', can).toSorted((a, b) => Number(a.primary ?? false) - Number(b.primary ?? false));
  return (
    <>
      <RefreshControl resource={resource} mode={mode} onChange={onMode} />
      <ExportButton resource={resource} query={query} columns={columns} />
      {own.map((action) => (
        <ActionButton key={action.id} action={action} onAction={onAction} />
      ))}
    </>
  );
}

/** The page's primary action again, for an empty list; nothing where the user may not use it. */
export function PrimaryAction({ resource, onAction }: Pick<HeaderActionsProps, 'resource' | 'onAction'>) {
  const can = useCan();
  const action = actionsAt(resource, 'header', can).find((candidate) => candidate.primary);
  // Drawn as a plain button: the filled one of the page stands in its head.
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
