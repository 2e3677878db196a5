import { Refine, type RouterProvider, type AccessControlProvider, type AuthProvider, type I18nProvider } from '@refinedev/core';
import type { ReactNode } from 'react';
import { queryClient } from '../../kernel/queries.ts';
import { resources } from '../resources/all.ts';
import { deriveRefineResources } from '../resources/derive.ts';
import { dataProvider } from './data-provider.ts';
import { makeLiveProvider } from './live-provider.ts';
import { NotificationBridge, notificationProvider } from './notification-provider.tsx';
import type { Resource } from '../resources/resource.ts';
import { can, signIn, revokeSession, requireUser } from '../../kernel/session/index.ts';
import { translate, hasText, allLanguages, changeLanguage, currentLanguage } from '../../kernel/i18n/index.ts';

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

/** Refine's access control by our permission names: a list or a page needs what its resource says, anything else what `params.permission` says. */
function makeAccessControl(entries: readonly Resource[]): AccessControlProvider {
  return {
    can: ({ resource: name, action, params }) => {
      const asked: unknown = params?.['permission'];
      const permission = entries.find((entry) => entry.name === name)?.permission;
      const needed = typeof asked === 'string' ? asked : action === 'show' ? (permission?.show ?? permission?.list) : permission?.list;
      return Promise.resolve({ can: can(needed) });
    },
    options: { buttons: { enableAccessControl: true, hideIfUnauthorized: true }, queryOptions: { staleTime: 0 } },
  };
}

/** Refine's auth provider over our session. */
const authProvider: AuthProvider = {
  async login({ email, password }: { email: string; password: string }) {
    await signIn(email, password);
    return { success: true, redirectTo: '/' };
  },
  async logout() {
    await revokeSession().catch(() => undefined);
    location.assign('/login');
    return { success: true };
  },
  check: () => Promise.resolve({ authenticated: true }),
  // A session that ends is left in one place (app/start), which knows whether there is an own session to go back to.
  onError: () => Promise.resolve({}),
  getPermissions: () => Promise.resolve(requireUser().permissions),
  getIdentity: () => Promise.resolve(requireUser()),
};

/** Refine's texts from ours; where we have none, Refine's own default is used. */
const i18nProvider: I18nProvider = {
  translate: (key: string, options?: unknown, fallback?: string) => {
    if (hasText(key)) return translate(key, typeof options === 'object' && options !== null ? { ...options } : {});
    return fallback ?? (typeof options === 'string' ? options : key);
  },
  changeLocale: async (locale: string) => {
    const language = allLanguages().find(({ code }) => code === locale);
    if (language) await changeLanguage(language.code);
  },
  getLocale: currentLanguage,
};
