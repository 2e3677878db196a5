import { actionsAt } from '../../engine/actions/applicability.ts';
import { runAction } from '../../engine/actions/run-action.ts';
import type { AddedForm } from '../../engine/form/added-forms.ts';
import type { ActionEntry } from '../../../schemas/kit/resources/resource-types.ts';
import type { Can, Resource } from '../../engine/resources/resource.ts';
import { actionLabel, resourceTitle } from '../../engine/table/labels.ts';
import type { View } from '../../../schemas/_generated/contract.ts';
import { allLanguages, changeLanguage, languageLabel, textOf, translate } from '../../kernel/i18n/index.ts';
import { changeThemeMode, type ThemeMode } from '../../kernel/theme/mode.ts';
import { findIconName, type IconName } from '../../ui/index.ts';
import { openDialog } from '../../engine/dialogs/index.ts';
import { signOut } from '../../features/account/sign-out.ts';
import type { CurrentUser } from '../../kernel/session/index.ts';
import { ownMenu, resources } from '../resources.ts';
import { foldText } from '../../../schemas/kit/text/text-order.ts';

export type CommandGroup = 'recent' | 'pages' | 'actions' | 'appearance';

/** Something that the palette offers: a page to go to, or something to do. */
export interface Command {
  id: string;
  group: CommandGroup;
  label: string;
  /** Where it belongs; it is searched as well. */
  detail: string;
  /** Other words that it is found by. */
  words?: string;
  icon: IconName;
  path?: string;
  run?(): void;
  /** What is done to one record, which is chosen next. */
  picks?: RecordAction;
}

/** An action, and the kind of record that it is for. */
export interface RecordAction {
  action: ActionEntry;
  resource: Resource;
}

const MODES: readonly { mode: ThemeMode; icon: IconName }[] = [
  { mode: 'auto', icon: 'monitor' },
  { mode: 'on', icon: 'moon' },
  { mode: 'off', icon: 'sun' },
];

function pageCommands(added: readonly AddedForm[]): Command[] {
  const own: Command[] = [
    {
      id: 'page-settings',
      group: 'pages',
      label: translate('account.settings'),
      detail: '',
      words: translate('palette.words.settings'),
      icon: 'settings',
      path: '/account/settings',
    },
    {
      id: 'page-help',
      group: 'pages',
      label: translate('shell.help'),
      detail: '',
      words: translate('palette.words.help'),
      icon: 'circle-question-mark',
      path: '/help',
    },
    { id: 'page-notifications', group: 'pages', label: translate('notifications.title'), detail: '', icon: 'bell', path: '/notifications' },
    { id: 'page-changelog', group: 'pages', label: translate('changelog.title'), detail: '', icon: 'info', path: '/changelog' },
  ];
  const menu = ownMenu(added).flatMap((group) =>
    group.items
      .flatMap((item) => item.pages ?? [item])
      .map((item): Command => ({
        id: `page-${item.path}`,
        group: 'pages',
        label: item.text ? textOf(item.text) : translate(item.label),
        detail: translate(group.label),
        icon: findIconName(item.icon) ?? 'file',
        path: item.path,
      })),
  );
  return [...menu, ...own];
}

/** What is in the heads of the lists: forms that need no record, and pages behind them. */
function actionCommands(can: Can): Command[] {
  return resources
    .filter((resource) => can(resource.permission.list))
    .flatMap((resource) =>
      actionsAt(resource, 'header', can).map((action): Command => {
        const common = {
          id: `action-${action.id}`,
          group: 'actions',
          label: actionLabel(action),
          detail: translate(`resources.${resource.name}.title`),
          icon: findIconName(action.icon) ?? 'chevron-right',
        } as const;
        if (action.kind === 'form' && !action.isSeldom) Object.assign(common, { words: translate('palette.words.add') });
        if (action.kind === 'link') return { ...common, path: action.to };
        return { ...common, run: () => void runAction({ action, resource, target: { kind: 'none' }, reload: () => undefined }) };
      }),
    );
}

/** What is done to one record of a kind that can be searched, such as "Reboot…". */
function recordCommands(can: Can): Command[] {
  return resources
    .filter((resource) => resource.search && can(resource.permission.list))
    .flatMap((resource) =>
      actionsAt(resource, 'row', can)
        .filter((action) => action.kind !== 'link' && !action.on.includes('header'))
        .map((action): Command => ({
          id: `record-${action.id}`,
          group: 'actions',
          label: `${actionLabel(action)}…`,
          detail: translate(`resources.${resource.name}.title`),
          icon: findIconName(action.icon) ?? 'chevron-right',
          picks: { action, resource },
        })),
    );
}

/** The saved views of the lists that the user may see. */
function viewCommands(views: readonly View[], can: Can): Command[] {
  return views.flatMap((view): Command[] => {
    const resource = resources.find(({ name }) => name === view.resource);
    const list = resource && can(resource.permission.list) ? resource.routes?.list : undefined;
    if (!resource || list === undefined) return [];
    const path = `${list}?view=${view.id}`;
    return [{ id: `view-${view.id}`, group: 'pages', label: view.name, detail: resourceTitle(resource), icon: 'eye', path }];
  });
}

function lookCommands(): Command[] {
  const modes = MODES.map(({ mode, icon }): Command => ({
    id: `mode-${mode}`,
    group: 'appearance',
    label: translate(`palette.darkMode.${mode}`),
    detail: '',
    icon,
    run: () => changeThemeMode(mode),
  }));
  const languages = allLanguages().map((entry): Command => ({
    id: `language-${entry.code}`,
    group: 'appearance',
    label: languageLabel(entry),
    detail: translate('account.language'),
    icon: 'languages',
    run: () => void changeLanguage(entry.code),
  }));
  return [...modes, ...languages];
}

function accountCommands(user: CurrentUser): Command[] {
  return [
    {
      id: 'account-timezone',
      group: 'appearance',
      label: translate('account.timezone'),
      detail: '',
      words: translate('palette.words.timezone'),
      icon: 'clock',
      run: () => void openDialog('account.timezone', {}),
    },
    {
      id: 'account-sign-out',
      group: 'actions',
      label: translate(user.act ? 'impersonation.cancel' : 'account.signOut'),
      detail: '',
      words: translate('palette.words.signOut'),
      icon: 'log-out',
      run: () => void signOut(user),
    },
  ];
}

/** Everything that the signed-in user may go to or do from anywhere, in the present language. */
export function allCommands(
  { added, views }: { added: readonly AddedForm[]; views: readonly View[] },
  can: Can,
  user: CurrentUser,
): Command[] {
  return [
    ...pageCommands(added),
    ...viewCommands(views, can),
    ...actionCommands(can),
    ...recordCommands(can),
    ...accountCommands(user),
    ...lookCommands(),
  ];
}

/** The commands that contain every word of the text; those whose name begins with it come first. */
export function matchCommands(commands: readonly Command[], text: string): Command[] {
  const wanted = foldText(text.trim());
  const words = wanted.split(/\s+/).filter(Boolean);
  const found = commands.filter((command) => {
    const haystack = foldText(`${command.label} ${command.detail} ${command.words ?? ''}`);
    return words.every((word) => haystack.includes(word));
  });
  const isStart = (command: Command): boolean => foldText(command.label).startsWith(wanted);
  return [...found.filter(isStart), ...found.filter((command) => !isStart(command))];
}
