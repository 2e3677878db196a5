import { ApiError, failureMessage, type FailureContext } from '../kernel/http/index.ts';
import { useT } from '../kernel/i18n/index.ts';
import { Button } from './Button.tsx';
import { EmptyState } from './EmptyState.tsx';
import styles from './EmptyState.module.css';

interface ErrorStateProps extends FailureContext {
  error: unknown;
  onRetry?(): void;
}

/** Something could not be loaded: what happened, a way to try again, and the request's number for support. */
export function ErrorState({ error, onRetry, ...context }: ErrorStateProps) {
  const t = useT();
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  const isOffline = error instanceof ApiError && error.kind === 'offline';
  return (
    <div role="alert">
      <EmptyState
        icon={isOffline ? 'cloud-off' : 'triangle-alert'}
        isBad
        title={t('common.couldNotLoad')}
        text={failureMessage(error, context)}
        actions={
          onRetry || requestId ? (
            <>
              {onRetry ? (
                <Button icon="refresh-cw" onClick={onRetry}>
                  {t('common.tryAgain')}
                </Button>
              ) : null}
              {requestId ? (
                <p className={styles.request}>
                  {t('common.requestId')} <code>{requestId}</code>
                </p>
              ) : null}
            </>
          ) : undefined
        }
      />
    </div>
  );
}
