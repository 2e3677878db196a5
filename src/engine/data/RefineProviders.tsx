import { Refine, type RouterProvider } from '@refinedev/core';
import type { ReactNode } from 'react';
import { queryClient } from '../../kernel/queries.ts';
import { resources } from '../resources/all.ts';
import { deriveRefineResources } from '../resources/derive.ts';
import { makeAccessControl } from './access-control.ts';
import { authProvider } from './auth-provider.ts';
import { dataProvider } from './data-provider.ts';
import { makeLiveProvider } from './live-provider.ts';
import { NotificationBridge, notificationProvider } from './notification-provider.tsx';
import { i18nProvider } from './i18n-provider.ts';

const accessControlProvider = makeAccessControl(resources);
const liveProvider = makeLiveProvider(resources);
const refineResources = deriveRefineResources(resources);

/** Refine around pages and windows, with all its providers; `routerProvider` where a router is around. */
export function RefineProviders({ children, routerProvider }: { children: ReactNode; routerProvider?: RouterProvider }) {
  return (
    <Refine
      dataProvider={dataProvider}
      accessControlProvider={accessControlProvider}
      liveProvider={liveProvider}
      authProvider={authProvider}
      i18nProvider={i18nProvider}
      notificationProvider={notificationProvider}
      resources={refineResources}
      {...(routerProvider ? { routerProvider } : {})}
      options={{
        reactQuery: { clientConfig: queryClient },
        disableTelemetry: true,
        disableRouteChangeHandler: true,
        warnWhenUnsavedChanges: false,
        // A query that follows live events says so; lists patch their rows instead (engine/live).
        liveMode: 'off',
        overtime: { enabled: false, interval: 1000 },
      }}
    >
      {children}
      <NotificationBridge />
    </Refine>
  );
}
