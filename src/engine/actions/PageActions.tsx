import { resources } from '../../../resources.config.ts';
import type { ResourceName } from '../../../resources.config.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Button } from '../../ui/Button.tsx';
import { findIconName } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/Menu.tsx';
import type { MenuEntry } from '../../ui/Menu.tsx';
import type { Resource, Resources, Row } from '../resources/resource.ts';
import { actionLabel, ruleText } from '../table/labels.ts';
import { actionsAt, appliesTo } from './applicability.ts';
import { runAction } from './run-action.ts';

export interface PageActionsProps {
  resource: ResourceName;
  row: Row;
  /** Loads the page again, after an action changed something. */
  onDone: () => void;
}

const entries: Resources = resources;

function findEntry(name: ResourceName): Resource {
  const entry = entries.find((candidate) => candidate.name === name);
  if (!entry) throw new Error(`No resource named "${name}"`);
  return entry;
}

/** What can be done with the one record of a page, in a menu; what does not apply says why. */
export function PageActions({ resource: name, row, onDone }: PageActionsProps) {
  const t = useT();
  const can = useCan();
  const resource = findEntry(name);
  const actions = actionsAt(resource, 'page', can);
  if (actions.length === 0) return null;
  const menu = actions.map((action, index): MenuEntry => {
    const applies = appliesTo(action, row);
    return {
      id: action.id,
      label: actionLabel(action.id),
      icon: findIconName(action.icon, 'circle'),
      isDanger: action.danger ?? false,
      hasDivider: index > 0 && action.danger === true && actions[index - 1]?.danger !== true,
      isDisabled: !applies,
      ...(applies ? {} : { detail: ruleText(resource, action) }),
      onSelect: () => void runAction({ action, resource, target: { kind: 'record', row }, reload: onDone }),
    };
  });
  return (
    <Menu entries={menu} label={t('table.pageActions')}>
      <Button iconEnd="chevron-down">{t('table.pageActions')}</Button>
    </Menu>
  );
}
