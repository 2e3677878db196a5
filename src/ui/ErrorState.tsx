import { ApiError, failureMessage, type FailureContext } from '../kernel/http/index.ts';
import { useT } from '../kernel/i18n/index.ts';
import { Button } from './Button.tsx';
import { cx } from './cx.ts';
import { Icon } from './Icon.tsx';
import styles from './EmptyState.module.css';

interface ErrorStateProps extends FailureContext {
  error: unknown;
  onRetry?(): void;
}

/** Something could not be loaded: what happened, a way to try again, and the request's number for whoever helps. */
export function ErrorState({ error, onRetry, ...context }: ErrorStateProps) {
  const t = useT();
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  const isOffline = error instanceof ApiError && error.kind === 'offline';
  return (
    <div className={styles.empty} role="alert">
      <span className={cx(styles.icon, styles.bad)}>
        <Icon name={isOffline ? 'cloud-off' : 'triangle-alert'} size={22} />
      </span>
      <p className={styles.title}>{t('common.couldNotLoad')}</p>
      <p className={styles.text}>{failureMessage(error, context)}</p>
      {onRetry ? (
        <div className={styles.actions}>
          <Button icon="refresh-cw" onClick={onRetry}>
            {t('common.tryAgain')}
          </Button>
        </div>
      ) : null}
      {requestId ? (
        <p className={styles.request}>
          {t('common.requestId')} <code>{requestId}</code>
        </p>
      ) : null}
    </div>
  );
}
