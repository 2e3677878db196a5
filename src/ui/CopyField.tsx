import { useRef } from 'react';
import { useT } from '../kernel/i18n/index.ts';
import { toasts } from '../kernel/toasts/index.ts';
import { Button } from './Button.tsx';
import styles from './CopyField.module.css';
import { FieldFrame } from './fields/FieldFrame.tsx';
import { TextInput } from './TextInput.tsx';

/** A text to be taken along, such as a secret that is shown once, with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const handleCopy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      toasts.success(t('account.token.copied'));
    } catch {
      // Refused (no https, no permission): selected, so that the keyboard can copy it.
      input.current?.select();
    }
  };
  return (
    <FieldFrame label={label}>
      {(control) => (
        <div className={styles.row}>
          <TextInput {...control} ref={input} readOnly value={value} className={styles.value} onFocus={(event) => event.target.select()} />
          <Button icon="copy" onClick={() => void handleCopy()}>
            {t('account.token.copy')}
          </Button>
        </div>
      )}
    </FieldFrame>
  );
}
