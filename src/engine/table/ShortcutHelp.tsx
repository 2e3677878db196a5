import { failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useShortcutsSetting } from '../../kernel/shortcuts.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button, Checkbox, ShortcutList } from '../../ui/index.ts';
import { DialogWindow } from '../dialogs/index.ts';
import type { DialogHandle } from '../dialogs/index.ts';

const KEYS: readonly { keys: readonly string[]; text: string }[] = [
  { keys: ['j', '↓'], text: 'table.keys.next' },
  { keys: ['k', '↑'], text: 'table.keys.previous' },
  { keys: ['x'], text: 'table.keys.select' },
  { keys: ['Enter'], text: 'table.keys.open' },
  { keys: ['.'], text: 'table.keys.menu' },
  { keys: ['Esc'], text: 'table.keys.clear' },
  { keys: ['?'], text: 'table.keys.help' },
];

/** The keys of a list, and the switch that turns the single letters off. */
export default function ShortcutHelp({ dialog }: { dialog: DialogHandle<undefined> }) {
  const t = useT();
  const [hasLetters, store] = useShortcutsSetting();
  return (
    <DialogWindow
      dialog={dialog}
      title={t('table.keys.title')}
      size="small"
      footer={<Button onClick={() => dialog.close()}>{t('table.keys.close')}</Button>}
    >
      <ShortcutList shortcuts={KEYS.map(({ keys, text }) => ({ keys, text: t(text) }))} />
      <Checkbox
        checked={hasLetters}
        onChange={(event) => void store(event.target.checked).catch((error: unknown) => toasts.error(failureMessage(error)))}
      >
        {t('table.keys.switch')}
      </Checkbox>
    </DialogWindow>
  );
}
