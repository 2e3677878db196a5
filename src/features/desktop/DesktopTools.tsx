import { useT } from '../../kernel/i18n/index.ts';
import { useSpecialKeys } from '../../engine/remote/special-keys.ts';
import { useStore } from '../../kernel/store.ts';
import { IconButton, Menu, type MenuEntry } from '../../ui/index.ts';
import type { KeyName, Scaling, VncSession } from './vnc-session.ts';

const SCALINGS: readonly Scaling[] = ['fit', 'remote', 'full'];
const QUALITIES = [
  { key: 'low', level: 2 },
  { key: 'medium', level: 6 },
  { key: 'high', level: 9 },
] as const;
/** Keys that the browser or the system of the reader keeps for itself. */
const COMBINATIONS: readonly { label: string; keys: readonly KeyName[] }[] = [
  { label: 'Ctrl+Esc', keys: ['control', 'escape'] },
  { label: 'Alt+Tab', keys: ['alt', 'tab'] },
  { label: 'Alt+F4', keys: ['alt', 'f4'] },
  { label: 'Esc', keys: ['escape'] },
  { label: 'Tab', keys: ['tab'] },
  { label: 'Print Screen', keys: ['print'] },
  { label: 'Windows', keys: ['meta'] },
];

async function saveScreenshot(session: VncSession, name: string): Promise<void> {
  const blob = await session.screenshot();
  if (!blob) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${name}.png`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The tools above a desktop. */
export function DesktopTools({ session, name, onClipboard }: { session: VncSession; name: string; onClipboard(): void }) {
  const t = useT();
  const { phase, scaling, quality, isViewOnly, hasFixedSize, hasClipboard } = useStore(session.state);
  const isOff = phase !== 'open';
  const { entries } = useSpecialKeys((text) => session.typeText(text));
  const keys: MenuEntry[] = [
    { id: 'cad', label: 'Ctrl+Alt+Del', onSelect: () => session.sendCtrlAltDel() },
    ...COMBINATIONS.map(({ label, keys: pressed }) => ({ id: label, label, onSelect: () => session.press(pressed) })),
    ...entries.map((entry, index) => (index === 0 ? { ...entry, heading: t('remote.keys.own') } : entry)),
  ];
  const view: MenuEntry[] = [
    ...SCALINGS.filter((one) => one !== 'remote' || !hasFixedSize).map((one, index): MenuEntry => ({
      id: one,
      label: t(`desktop.scaling.${one}`),
      isChecked: one === scaling,
      ...(index === 0 ? { heading: t('desktop.scaling') } : {}),
      onSelect: () => session.change({ scaling: one }),
    })),
    ...QUALITIES.map(({ key, level }, index): MenuEntry => ({
      id: key,
      label: t(`desktop.quality.${key}`),
      isChecked: level === quality,
      ...(index === 0 ? { heading: t('desktop.quality') } : {}),
      onSelect: () => session.change({ quality: level }),
    })),
    {
      id: 'view-only',
      label: t('desktop.view_only'),
      icon: 'eye',
      isChecked: isViewOnly,
      hasDivider: true,
      onSelect: () => session.change({ isViewOnly: !isViewOnly }),
    },
  ];
  return (
    <>
      <Menu label={t('desktop.keys')} entries={keys}>
        <IconButton icon="keyboard" label={t('desktop.keys')} disabled={isOff} />
      </Menu>
      {hasClipboard ? <IconButton icon="clipboard-paste" label={t('desktop.clipboard')} disabled={isOff} onClick={onClipboard} /> : null}
      <IconButton icon="camera" label={t('desktop.screenshot')} disabled={isOff} onClick={() => void saveScreenshot(session, name)} />
      <IconButton
        icon="maximize-2"
        label={t('desktop.full_screen')}
        onClick={() => void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen())}
      />
      <Menu label={t('desktop.view')} entries={view}>
        <IconButton icon="ellipsis" label={t('desktop.view')} />
      </Menu>
    </>
  );
}
