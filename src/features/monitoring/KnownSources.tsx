import { KNOWN_SOURCES, type KnownField, type SourceKind } from '../../../schemas/kit/devices/known-sources.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, Code } from '../../ui/index.ts';
import styles from './monitoring.module.css';

const KINDS: readonly SourceKind[] = ['api', 'ubus', 'file', 'command'];

interface KnownSourcesProps {
  /** Whether a template has this variable already. */
  has: (url: string, filter: string) => boolean;
  onAsk: (url: string) => void;
  onAdd: (url: string, field: KnownField) => void;
}

/** The addresses that devices are known to answer, as a tree: each is taken to ask a device, and its fields become variables. */
export function KnownSources({ has, onAsk, onAdd }: KnownSourcesProps) {
  const t = useT();
  return (
    <details>
      <summary>{t('monitoring.known.title')}</summary>
      <ul className={styles.tree} aria-label={t('monitoring.known.title')}>
        {KINDS.map((kind) => (
          <li key={kind}>
            <details open={kind === 'api'}>
              <summary>{t(`monitoring.known.${kind}`)}</summary>
              <ul className={styles.tree}>
                {KNOWN_SOURCES[kind].map(({ url, fields }) => (
                  <li key={url}>
                    <details>
                      <summary>
                        <Code>{url}</Code>
                      </summary>
                      <ul className={styles.tree}>
                        <li className={styles.leaf}>
                          <Button
                            size="small"
                            variant="link"
                            aria-label={t('monitoring.known.take_url', { url })}
                            onClick={() => onAsk(url)}
                          >
                            {t('monitoring.known.take')}
                          </Button>
                        </li>
                        {fields.map((field) => (
                          <li key={field.filter} className={styles.leaf}>
                            <Code>{field.filter}</Code>{' '}
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
                          </li>
                        ))}
                      </ul>
                    </details>
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </details>
  );
}
