import { Refine } from '@refinedev/core';
import { QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RouterProvider } from 'react-router';
import { deriveRefineResources } from '../engine/resources/derive.ts';
import { askForFirstList } from './first-list.ts';
import { makeAccessControl } from './refine/access-control.ts';
import { authProvider } from './refine/auth-provider.ts';
import { makeDataProvider } from './refine/data-provider.ts';
import { makeLiveProvider } from './refine/live-provider.ts';
import { routerProvider } from './refine/router-provider.ts';
import { i18nProvider, notificationProvider } from './refine/small-providers.ts';
import { findResource, resources } from './resources.ts';
import { registerRooms } from './rooms.ts';
import { makeRouter } from './router.tsx';

/** Settles when the rows of the first list are here, or are not wanted. */
export const firstList = askForFirstList(location);
registerRooms();

const providers = {
  dataProvider: makeDataProvider(findResource),
  accessControlProvider: makeAccessControl(findResource),
  liveProvider: makeLiveProvider(findResource),
};
const refineResources = deriveRefineResources(resources);
const queryClient = new QueryClient({
  // The HTTP client knows what is worth a second try.
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 0 } },
});
const router = makeRouter((children) => <RefineProviders>{children}</RefineProviders>);

/** The console of a signed-in user. */
export function ConsoleApp() {
  return <RouterProvider router={router} />;
}

/** Refine around the pages; it stands inside the router, because its router provider reads the address. */
function RefineProviders({ children }: { children: ReactNode }) {
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
