import { lazy, type ComponentType } from 'react';

/** A page whose code is fetched when it is first opened. */
export function lazyPage<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  const Page = lazy(load);
  return (props) => <Page {...props} />;
}
