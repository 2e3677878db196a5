import { useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { useStore } from '../../kernel/store.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { IconButton, Menu, type MenuEntry } from '../../ui/index.ts';
import { changeTerminalSettings, FONT_SIZES, terminalSettings } from './settings.ts';
import type { TerminalSession } from './terminal-session.ts';
import type { Workspace } from './workspace.ts';

interface TerminalToolsProps {
  keyEntries: readonly MenuEntry[];
  workspace: Workspace;
  session: TerminalSession | undefined;
  onSearch(): void;
}

/** The tools above the terminals. */
export function TerminalTools({ keyEntries, workspace, session, onSearch }: TerminalToolsProps) {
  const t = useT();
  const { isBroadcast } = useStore(workspace.state);
  const settings = useStore(terminalSettings);
  const [isBusy, setBusy] = useState(false);
  const isNothing = !session;

  const handleCopy = async (): Promise<void> => {
    if (await session?.copy()) toasts.success(t('terminal.copied'));
    else toasts.info(t('terminal.nothing_selected'));
  };
  const handlePaste = async (): Promise<void> => {
    setBusy(true);
    if (!(await session?.pasteClipboard())) toasts.warning(t('terminal.no_clipboard'));
    setBusy(false);
  };
  const more: MenuEntry[] = [
    {
      id: 'larger',
      label: t('terminal.larger'),
      icon: 'zoom-in',
      isDisabled: settings.fontSize >= FONT_SIZES.most,
      onSelect: () => changeTerminalSettings({ fontSize: settings.fontSize + 1 }),
    },
    {
      id: 'smaller',
      label: t('terminal.smaller'),
      icon: 'zoom-out',
      isDisabled: settings.fontSize <= FONT_SIZES.least,
      onSelect: () => changeTerminalSettings({ fontSize: settings.fontSize - 1 }),
    },
    ...(['console', 'light', 'dark'] as const).map((colors, index): MenuEntry => ({
      id: `colors-${colors}`,
      label: t(`terminal.colors.${colors}`),
      isChecked: settings.colors === colors,
      hasDivider: index === 0,
      onSelect: () => changeTerminalSettings({ colors }),
    })),
    {
      id: 'reader',
      label: t('terminal.screen_reader'),
      detail: t('terminal.screen_reader_hint'),
      icon: 'accessibility',
      isChecked: settings.screenReader,
      hasDivider: true,
      onSelect: () => changeTerminalSettings({ screenReader: !settings.screenReader }),
    },
    {
      id: 'reconnect',
      label: t('remote.reconnect'),
      icon: 'refresh-cw',
      hasDivider: true,
      isDisabled: isNothing,
      onSelect: () => session?.reconnect(),
    },
    {
      id: 'close',
      label: t('terminal.close_pane'),
      icon: 'unplug',
      isDisabled: isNothing,
      onSelect: () => session && workspace.closePane(session.id),
    },
  ];
  return (
    <>
      <IconButton icon="search" label={t('terminal.search')} disabled={isNothing} onClick={onSearch} />
      <IconButton icon="copy" label={t('terminal.copy')} disabled={isNothing} onClick={() => void handleCopy()} />
      <IconButton icon="clipboard-paste" label={t('terminal.paste')} disabled={isNothing || isBusy} onClick={() => void handlePaste()} />
      <IconButton icon="columns-2" label={t('terminal.split')} disabled={!workspace.canSplit()} onClick={() => workspace.split()} />
      {keyEntries.length > 0 ? (
        <Menu label={t('remote.keys.menu')} entries={keyEntries}>
          <IconButton icon="keyboard" label={t('remote.keys.menu')} disabled={isNothing} />
        </Menu>
      ) : null}
      <IconButton
        icon="radio"
        label={t('terminal.broadcast')}
        isPressed={isBroadcast}
        disabled={workspace.sessions().length < 2}
        onClick={() => workspace.setBroadcast(!isBroadcast)}
      />
      <Menu label={t('terminal.more')} entries={more}>
        <IconButton icon="ellipsis" label={t('terminal.more')} />
      </Menu>
    </>
  );
}
