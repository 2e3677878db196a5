import { Refine } from '@refinedev/core';
import { QueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { deriveRefineResources } from '../engine/resources/derive.ts';
import { makeAccessControl } from './refine/access-control.ts';
import { authProvider } from './refine/auth-provider.ts';
import { makeDataProvider } from './refine/data-provider.ts';
import { makeLiveProvider } from './refine/live-provider.ts';
import { routerProvider } from './refine/router-provider.ts';
import { i18nProvider, notificationProvider } from './refine/small-providers.ts';
import { findResource, resources } from './resources.ts';

const providers = {
  dataProvider: makeDataProvider(findResource),
  accessControlProvider: makeAccessControl(findResource),
  liveProvider: makeLiveProvider(findResource),
};
const refineResources = deriveRefineResources(resources);

/** Refine around the pages; it stands inside the router, because its router provider reads the address. */
export function RefineProviders({ children }: { children: ReactNode }) {
  const [queryClient] = useState(makeQueryClient);
  return (
    <Refine
      {...providers}
      authProvider={authProvider}
      i18nProvider={i18nProvider}
      notificationProvider={notificationProvider}
      routerProvider={routerProvider}
      resources={refineResources}
      options={{
        reactQuery: { clientConfig: queryClient },
        disableTelemetry: true,
        disableRouteChangeHandler: true,
        warnWhenUnsavedChanges: false,
        liveMode: 'off',
      }}
    >
      {children}
    </Refine>
  );
}

function makeQueryClient(): QueryClient {
  // The HTTP client knows what is worth a second try.
  return new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 0 } } });
}
