import { openDialog, registerDialog } from '../../engine/dialogs/index.ts';
import type { Can } from '../../engine/resources/resource.ts';
import { allLanguages, changeLanguage, languageLabel, useLanguage, useT, type Translate } from '../../kernel/i18n/index.ts';
import { useCan, useUser, switchCompany, type CurrentUser } from '../../kernel/session/index.ts';
import { roleTitle } from '../../kernel/session/role-title.ts';
import { changeThemeMode, useThemeMode, type ThemeMode } from '../../kernel/theme/mode.ts';
import { failureMessage } from '../../kernel/http/index.ts';
import { currentTimezone, formatTime, formatUtc, parseWire } from '../../kernel/time/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Avatar, type IconName, Menu, type MenuEntry, PressArea } from '../../ui/index.ts';
import { signOut } from '../../features/account/sign-out.ts';
import styles from './AccountMenu.module.css';
import { openPalette } from '../palette/open-palette.ts';
import { openForm } from '../../engine/form/index.ts';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'shell.messages': { props: object; result: undefined };
    'shell.resources': { props: object; result: undefined };
  }
}
registerDialog('shell.messages', () => import('./MessageHistory.tsx'));
registerDialog('shell.resources', () => import('./ResourceSummary.tsx'));

const MODES: readonly { mode: ThemeMode; icon: IconName }[] = [
  { mode: 'auto', icon: 'monitor' },
  { mode: 'on', icon: 'moon' },
  { mode: 'off', icon: 'sun' },
];

/** The user's zone with the time there and in UTC, as of now. */
function bothClocks(): string {
  const now = Date.now();
  const utc = `UTC ${formatUtc(now, 'HH:mm')}`;
  return currentTimezone() === 'UTC' ? utc : `${currentTimezone()} ${formatTime(now, 'HH:mm')} · ${utc}`;
}

/** What there is of resources, and a code that brings some, for those who may (docs/behaviour.md section 2, Header). */
function resourceEntries(t: Translate, can: Can): MenuEntry[] {
  const summary: MenuEntry = {
    id: 'resources',
    label: t('shell.resourceSummary'),
    icon: 'coins',
    onSelect: () => void openDialog('shell.resources', {}),
  };
  const activate: MenuEntry = {
    id: 'activate-code',
    label: t('actions.credits.activate-code'),
    icon: 'key-square',
    onSelect: () => void openForm('credits/activate-code'),
  };
  return [
    ...(can('view_credits_summary') && can('view_company_data_history') ? [summary] : []),
    ...(can('activate_credit_transfer_codes') ? [activate] : []),
  ];
}

/** The companies of somebody who belongs to several, to switch between them. */
function companyEntries(t: Translate, user: CurrentUser): MenuEntry[] {
  if (user.memberships.length < 2) return [];
  const go = async (companyId: number): Promise<void> => {
    try {
      await switchCompany(companyId);
      location.assign('/');
    } catch (error) {
      toasts.error(failureMessage(error, { fallback: t('account.switchFailed') }));
    }
  };
  return user.memberships.map(({ company_id, company_name, role_name, role_title }, index) => ({
    id: `company-${company_id}`,
    label: company_name,
    detail: roleTitle({ name: role_name, title: role_title }),
    isChecked: company_id === user.company_id,
    onSelect: () => void (company_id === user.company_id || go(company_id)),
    ...(index === 0 ? { hasDivider: true, heading: t('account.company') } : {}),
  }));
}

/** Until when others may impersonate the user; the page there withdraws it. */
function consentEntry(t: Translate, { act, impersonation_access_limit }: CurrentUser): MenuEntry[] {
  const limit = parseWire(impersonation_access_limit);
  if (act || limit === undefined) return [];
  const detail = formatTime(limit, 'YYYY-MM-DD HH:mm');
  return [{ id: 'consent', label: t('impersonation.status'), detail, icon: 'user-check', to: '/account/settings' }];
}

/** Who is signed in, and what is theirs alone: settings, dark mode, language, the way out. */
export function AccountMenu() {
  const t = useT();
  const user = useUser();
  const can = useCan();
  const language = useLanguage();
  const mode = useThemeMode();

  const heading = `${user.username} · ${user.company_name} · ${roleTitle(user.role)}`;
  const entries = (): MenuEntry[] => [
    // The account is the user's own: a person who impersonates them has nothing to do there.
    ...(user.act ? [] : [{ id: 'settings', label: t('account.settings'), icon: 'settings', to: '/account/settings', heading } as const]),
    {
      id: 'palette',
      label: t('palette.title'),
      detail: 'Ctrl+K',
      icon: 'square-terminal',
      onSelect: openPalette,
      ...(user.act ? { heading } : {}),
    },
    ...consentEntry(t, user),
    { id: 'messages', label: t('account.messages'), icon: 'history', onSelect: () => void openDialog('shell.messages', {}) },
    ...resourceEntries(t, can),
    ...companyEntries(t, user),
    ...MODES.map((one, index): MenuEntry => ({
      id: `mode-${one.mode}`,
      label: t(`account.darkMode.${one.mode}`),
      icon: one.icon,
      isChecked: mode === one.mode,
      onSelect: () => changeThemeMode(one.mode),
      ...(index === 0 ? { hasDivider: true, heading: t('account.darkMode') } : {}),
    })),
    ...allLanguages().map((entry, index): MenuEntry => ({
      id: `language-${entry.code}`,
      label: languageLabel(entry),
      isChecked: entry.code === language,
      onSelect: () => void changeLanguage(entry.code),
      ...(index === 0 ? { hasDivider: true, heading: t('account.language') } : {}),
    })),
    {
      id: 'timezone',
      label: t('account.timezone'),
      detail: bothClocks(),
      icon: 'clock',
      hasDivider: true,
      onSelect: () => void openDialog('account.timezone', {}),
    },
    { id: 'help', label: t('shell.help'), icon: 'circle-question-mark', to: '/help' },
    { id: 'changelog', label: t('changelog.title'), detail: __APP_VERSION__, icon: 'info', to: '/changelog' },
    {
      id: 'sign-out',
      label: t(user.act ? 'impersonation.cancel' : 'account.signOut'),
      icon: 'log-out',
      hasDivider: true,
      onSelect: () => void signOut(user),
    },
  ];
  return (
    <Menu entries={entries} label={t('account.menu')}>
      <PressArea className={styles.button} aria-label={t('account.menuOf', { name: user.username })}>
        <Avatar seed={user.id} url={user.avatar_url} size={26} />
      </PressArea>
    </Menu>
  );
}
