import { closeAllDialogs, openDialog, registerDialog } from '../../engine/dialogs/index.ts';
import { forgetDrafts } from '../../engine/form/drafts.ts';
import { changeLanguage, LANGUAGES, useLanguage, useT } from '../../kernel/i18n/index.ts';
import { revokeSession, useUser } from '../../kernel/session/index.ts';
import { changeThemeMode, useThemeMode, type ThemeMode } from '../../kernel/theme-mode.ts';
import { failureMessage } from '../../kernel/http/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import type { IconName } from '../../ui/Icon.tsx';
import { Menu, type MenuEntry } from '../../ui/Menu.tsx';
import styles from './AccountMenu.module.css';
import { openPalette } from '../palette/open-palette.ts';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'shell.messages': { props: object; result: undefined };
  }
}
registerDialog('shell.messages', () => import('./MessageHistory.tsx'));

const MODES: readonly { mode: ThemeMode; icon: IconName }[] = [
  { mode: 'auto', icon: 'monitor' },
  { mode: 'on', icon: 'moon' },
  { mode: 'off', icon: 'sun' },
];

/** Who is signed in, and what is theirs alone: settings, dark mode, language, the way out. */
export function AccountMenu() {
  const t = useT();
  const user = useUser();
  const language = useLanguage();
  const mode = useThemeMode();

  const handleSignOut = async () => {
    try {
      await revokeSession();
      closeAllDialogs();
      forgetDrafts();
      location.assign('/login');
    } catch (error) {
      toasts.error(failureMessage(error, { fallback: t('account.signOutFailed') }));
    }
  };
  const entries: MenuEntry[] = [
    {
      id: 'settings',
      label: t('account.settings'),
      icon: 'settings',
      to: '/account/settings',
      heading: `${user.username} · ${user.company_name}`,
    },
    { id: 'palette', label: t('palette.title'), detail: 'Ctrl+K', icon: 'square-terminal', onSelect: openPalette },
    { id: 'messages', label: t('account.messages'), icon: 'history', onSelect: () => void openDialog('shell.messages', {}) },
    ...MODES.map((one, index): MenuEntry => ({
      id: `mode-${one.mode}`,
      label: t(`account.darkMode.${one.mode}`),
      icon: one.icon,
      isChecked: mode === one.mode,
      onSelect: () => changeThemeMode(one.mode),
      ...(index === 0 ? { hasDivider: true, heading: t('account.darkMode') } : {}),
    })),
    ...LANGUAGES.map(({ code, name }, index): MenuEntry => ({
      id: `language-${code}`,
      label: name,
      isChecked: code === language,
      onSelect: () => void changeLanguage(code),
      ...(index === 0 ? { hasDivider: true, heading: t('account.language') } : {}),
    })),
    { id: 'sign-out', label: t('account.signOut'), icon: 'log-out', hasDivider: true, onSelect: () => void handleSignOut() },
  ];
  return (
    <Menu entries={entries} label={t('account.menu')}>
      <button type="button" className={styles.button} aria-label={t('account.menuOf', { name: user.username })}>
        <Avatar seed={user.id} url={user.avatar_url} size={26} />
      </button>
    </Menu>
  );
}
