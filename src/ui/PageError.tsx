import { ApiError, type FailureContext } from '../kernel/http/index.ts';
import { useT } from '../kernel/i18n/index.ts';
import { Button } from './Button.tsx';
import { EmptyState } from './EmptyState.tsx';
import { ErrorState } from './ErrorState.tsx';
import { PageHeader } from './PageHeader.tsx';

interface PageErrorProps extends FailureContext {
  error: unknown;
  onRetry(): void;
}

/** In place of a record's page that could not be loaded: that there is no such record for this reader, else what happened and a way to try again. */
export function PageError({ error, onRetry, ...context }: PageErrorProps) {
  const isMissing = error instanceof ApiError && error.status === 404;
  return isMissing ? <NothingHere /> : <ErrorState error={error} onRetry={onRetry} {...context} />;
}

/** That nothing is at this address, inside the shell. */
export function NothingHere() {
  const t = useT();
  return (
    <>
      <PageHeader title={t('pages.notFound.title')} />
      <EmptyState
        icon="search"
        title={t('pages.notFound.heading')}
        text={t('pages.notFound.text')}
        actions={<Button to="/">{t('pages.home')}</Button>}
      />
    </>
  );
}
