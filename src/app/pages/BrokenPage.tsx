import { useT } from '../../kernel/i18n/index.ts';
import { ErrorState, PageHeader } from '../../ui/index.ts';

/** In place of a page that broke or whose code did not load. */
export function BrokenPage({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const t = useT();
  return (
    <>
      <PageHeader title={t('pages.broken.title')} />
      <ErrorState error={error} fallback={t('pages.broken.text')} onRetry={onRetry} />
    </>
  );
}
