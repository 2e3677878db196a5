import { useRef } from 'react';
import type { ResultViewProps } from '../../engine/form/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import styles from './NewTokenView.module.css';

/** The new access token, which the server tells this once only. */
export default function NewTokenView({ result, close }: ResultViewProps) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const token = readToken(result.data);
  const handleCopy = async () => {
    try {
      await navigator.clipboard.writeText(token);
      toasts.success(t('account.token.copied'));
    } catch {
      // Refused (no https, no permission): selected, so that the keyboard can copy it.
      input.current?.select();
    }
  };
  return (
    <div className={styles.view}>
      <Banner kind="warn">{t('account.token.text')}</Banner>
      <Field label={t('account.token.title')}>
        {(control) => (
          <div className={styles.row}>
            <TextInput
              {...control}
              ref={input}
              readOnly
              value={token}
              className={styles.token}
              onFocus={(event) => event.target.select()}
            />
            <Button icon="copy" onClick={() => void handleCopy()}>
              {t('account.token.copy')}
            </Button>
          </div>
        )}
      </Field>
      <Button variant="primary" className={styles.done} onClick={close}>
        {t('account.token.done')}
      </Button>
    </div>
  );
}

function readToken(data: unknown): string {
  return typeof data === 'object' && data !== null && 'token' in data && typeof data.token === 'string' ? data.token : '';
}
