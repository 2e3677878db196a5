import type { KnownField } from '../../../schemas/kit/devices/known-sources.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button } from '../../ui/index.ts';
import styles from './monitoring.module.css';

/** What becomes of an address or a value that was chosen. */
export interface SourceChoice {
  /** Whether the template has this variable already. */
  has: (url: string, filter: string) => boolean;
  onAdd: (url: string, field: KnownField) => void;
  /** Takes the address to ask a device for it, where that can be done. */
  onAsk?: ((url: string) => void) | undefined;
}

/** Makes a value of an address a variable of the template; says of what type it is. */
export function AddField({ url, field, has, onAdd }: { url: string; field: KnownField } & Omit<SourceChoice, 'onAsk'>) {
  const t = useT();
  return (
    <>
      <span className={styles.quiet}>{t(`forms.monitoring-templates.type_${field.type}`)}</span>
      {has(url, field.filter) ? (
        <span className={styles.quiet}>{t('monitoring.known.added')}</span>
      ) : (
        <Button
          size="small"
          variant="link"
          aria-label={t('monitoring.try.use_path', { path: `${url} ${field.filter}` })}
          onClick={() => onAdd(url, field)}
        >
          {t('monitoring.try.use')}
        </Button>
      )}
    </>
  );
}
