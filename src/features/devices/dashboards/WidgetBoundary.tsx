import { Component, type ReactNode } from 'react';

interface Props {
  /** What is shown in place of a widget that breaks. */
  fallback: ReactNode;
  children: ReactNode;
}

/** Keeps the other widgets alive when one breaks. */
export class WidgetBoundary extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.fallback : this.props.children;
  }
}
