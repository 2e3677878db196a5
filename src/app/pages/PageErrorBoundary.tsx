import { Component, type ReactNode } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { PageHeader, ErrorState } from '../../ui/index.ts';

interface State {
  error: unknown;
}

// Loaded again, not drawn again: code that did not load once stays missing for the life of the page.
const reloadPage = (): void => location.reload();

/** Keeps the shell alive when a page breaks, and offers to load it again. */
export class PageErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error ?? new Error('Unknown') };
  }

  override render(): ReactNode {
    return this.state.error === undefined ? this.props.children : <BrokenPage error={this.state.error} onRetry={reloadPage} />;
  }
}

/** In place of a page that broke or whose code did not load. */
function BrokenPage({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const t = useT();
  return (
    <>
      <PageHeader title={t('pages.broken.title')} />
      <ErrorState error={error} fallback={t('pages.broken.text')} onRetry={onRetry} />
    </>
  );
}
