import { useT } from '../../../kernel/i18n/index.ts';
import { Button, Menu, type MenuEntry, ToolNote, ToolText } from '../../../ui/index.ts';
import type { View } from '../../../../schemas/_generated/contract.ts';
import type { ListView } from './use-list-view.ts';

/** Which saved view a list shows, whether it was changed since, and what can be done with views. */
export function ViewMenu({ view }: { view: ListView }) {
  const t = useT();
  const { current, isModified } = view;
  const name = current?.name ?? t('table.view.menu');
  const label = current ? t('table.view.current', { name }) : name;
  return (
    <Menu label={t('table.view.menu')} entries={() => [...choices(view, t), ...deeds(view, t)]}>
      <Button
        icon="eye"
        aria-label={isModified ? `${label}, ${t('table.view.changed')}` : label}
        title={current?.name}
        onFocus={view.load}
        onPointerEnter={view.load}
      >
        <ToolText isName={current !== undefined}>{name}</ToolText>
        {isModified ? <ToolNote>{t('table.view.changed')}</ToolNote> : null}
      </Button>
    </Menu>
  );
}

type Translate = ReturnType<typeof useT>;

function choices(view: ListView, t: Translate): MenuEntry[] {
  const { views, current } = view;
  const all: MenuEntry = { id: 'all', label: t('table.view.all'), isChecked: current === undefined, onSelect: () => view.open(undefined) };
  if (views === undefined) return [all, { id: 'loading', label: t('table.view.loading'), isDisabled: true }];
  if (views === 'failed') return [all];
  const entry = (saved: View, heading: string | undefined): MenuEntry => ({
    id: String(saved.id),
    label: saved.name,
    isChecked: saved.id === current?.id,
    onSelect: () => view.open(saved),
    ...(heading === undefined ? {} : { heading }),
    ...(saved.is_own ? {} : { detail: t('table.view.by', { name: saved.user_name }) }),
  });
  const own = views.filter((saved) => saved.is_own);
  const others = views.filter((saved) => !saved.is_own);
  return [
    all,
    ...own.map((saved, index) => entry(saved, index === 0 ? t('table.view.mine') : undefined)),
    ...others.map((saved, index) => entry(saved, index === 0 ? t('table.view.shared') : undefined)),
  ];
}

function deeds(view: ListView, t: Translate): MenuEntry[] {
  const { current, isModified } = view;
  const saveAs: MenuEntry = { id: 'save-as', label: t('table.view.saveAs'), icon: 'plus', onSelect: () => void view.saveAs() };
  if (!current) return [{ ...saveAs, hasDivider: true }];
  const own: MenuEntry[] = [
    { id: 'edit', label: t('table.view.edit'), icon: 'pencil', onSelect: () => void view.edit() },
    { id: 'remove', label: t('table.view.remove'), icon: 'trash-2', isDanger: true, onSelect: () => void view.remove() },
  ];
  return [
    {
      id: 'default',
      label: t('table.view.default'),
      hasDivider: true,
      isChecked: view.isDefault,
      onSelect: view.toggleDefault,
    },
    ...(isModified && current.can_edit
      ? [{ id: 'save', label: t('table.view.save'), icon: 'check', onSelect: () => void view.save() } satisfies MenuEntry]
      : []),
    saveAs,
    ...(current.can_edit ? own : []),
  ];
}
