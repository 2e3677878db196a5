import { useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { useStore } from '../../kernel/store.ts';
import { Button, FieldFrame, IconButton, TextAreaField } from '../../ui/index.ts';
import type { VncSession } from './vnc-session.ts';
import styles from './desktop.module.css';

/** The clipboard of the desktop: what was copied there, and what is sent there. Nothing is exchanged by itself. */
export function ClipboardPanel({ session, onClose }: { session: VncSession; onClose(): void }) {
  const t = useT();
  const { clipboard, hasClipboard } = useStore(session.state);
  const [text, setText] = useState('');
  if (!hasClipboard) return null;
  return (
    <section className={styles.clipboard} aria-label={t('desktop.clipboard')}>
      <header>
        <h2>{t('desktop.clipboard')}</h2>
        <IconButton icon="x" size="small" label={t('common.close')} onClick={onClose} />
      </header>
      <FieldFrame label={t('desktop.clipboard_to')}>
        {(control) => <TextAreaField {...control} value={text} onChange={setText} maxLength={100_000} hasAutofocus />}
      </FieldFrame>
      <Button disabled={text === ''} onClick={() => session.setClipboard(text)}>
        {t('desktop.clipboard_send')}
      </Button>
      <FieldFrame label={t('desktop.clipboard_from')}>
        {(control) => <TextAreaField {...control} value={clipboard} onChange={() => undefined} />}
      </FieldFrame>
      <Button icon="copy" disabled={clipboard === ''} onClick={() => void navigator.clipboard.writeText(clipboard).catch(() => undefined)}>
        {t('desktop.clipboard_copy')}
      </Button>
    </section>
  );
}
