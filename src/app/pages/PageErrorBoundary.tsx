import { Component, type ReactNode } from 'react';
import { BrokenPage } from './BrokenPage.tsx';

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
