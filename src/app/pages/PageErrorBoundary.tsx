import { Component, type ReactNode } from 'react';
import { BrokenPage } from './BrokenPage.tsx';

interface State {
  error: unknown;
}

/** Keeps the shell alive when a page breaks, and offers to draw the page again. */
export class PageErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error ?? new Error('Unknown') };
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return <BrokenPage error={this.state.error} onRetry={() => this.setState({ error: undefined })} />;
  }
}
