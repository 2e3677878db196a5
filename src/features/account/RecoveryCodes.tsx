import { saveFile } from '../../engine/actions/save-file.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Banner, Button } from '../../ui/index.ts';
import styles from './second-factor.module.css';

/** The codes of an answer that made them; empty for any other answer. */
export function readRecoveryCodes(data: unknown): string[] {
  if (typeof data !== 'object' || data === null || !('recovery_codes' in data) || !Array.isArray(data.recovery_codes)) return [];
  return data.recovery_codes.map(String);
}

/** Recovery codes, shown once, to be copied or kept as a file. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  const t = useT();
  const text = codes.join('\n');
  const handleCopy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toasts.success(t('account.token.copied'));
    } catch {
      // Refused (no https, no permission): the file is the other way.
      saveCodes(text);
    }
  };
  return (
    <div className={styles.view}>
      <Banner kind="warn">{t('account.mfa.codesText')}</Banner>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <Button icon="copy" onClick={() => void handleCopy()}>
          {t('account.token.copy')}
        </Button>
        <Button icon="download" onClick={() => saveCodes(text)}>
          {t('account.mfa.download')}
        </Button>
        <Button variant="primary" className={styles.done} onClick={onDone}>
          {t('account.token.done')}
        </Button>
      </div>
    </div>
  );
}

function saveCodes(text: string): void {
  saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'canopy-recovery-codes.txt');
}
