import { CanAccess } from '@refinedev/core';
import { Suspense, useEffect, type ComponentType, type ReactNode } from 'react';
import { Navigate, useLocation, useParams, type createBrowserRouter, type RouteObject } from 'react-router';
import { setNavigate } from '../engine/form/index.ts';
import { deriveRoutes, type DerivedRoute } from '../engine/resources/derive.ts';
import ResourceListPage from '../engine/table/ResourceListPage.tsx';
import { api } from '../kernel/http/index.ts';
import { can, useUser } from '../kernel/session/index.ts';
import { lazyPage } from './lazy-page.tsx';
import { AccessDeniedPage } from './pages/AccessDeniedPage.tsx';
import { NoPermission } from './pages/NoPermission.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { PageErrorBoundary } from './pages/PageErrorBoundary.tsx';
import { PageSkeleton } from './pages/PageSkeleton.tsx';
import { RouteErrorPage } from './pages/RouteErrorPage.tsx';
import { landingPath, resources, startPath } from './resources.ts';
import { findShowPage, roomPages } from './rooms.ts';
import { Shell } from './shell/Shell.tsx';
import { translate, withTexts } from '../kernel/i18n/index.ts';
import { toasts } from '../kernel/toasts/index.ts';

const FormPage = lazyPage(withTexts(['dialogs', 'errors', 'form'], () => import('../engine/form/FormPage.tsx')));

/** Other addresses of pages. */
const ALIASES = {
  '/reports': '/reports/single',
  '/statistics': '/statistics/general',
  '/resources/credits': '/resources',
  '/account/settings/profile': '/account/settings',
};

export type Router = ReturnType<typeof createBrowserRouter>;

/**
 * Makes the router: a page per entry of the resource list, the rooms' own pages, the form pages, and what is left. `create` is React Router's
 * maker of one, `provide` puts around the pages what they need.
 */
export function makeRouter(create: (routes: RouteObject[]) => Router, provide: (children: ReactNode) => ReactNode): Router {
  const pages: RouteObject[] = [
    ...deriveRoutes(resources).flatMap(resourceRoute),
    ...roomPages().map(({ path, permission, load }) => page(path, permission, lazyPage(load))),
    page('/forms/*', undefined, FormPage),
    ...Object.entries(ALIASES).map(([path, to]): RouteObject => ({ path, element: <Navigate to={to} replace /> })),
    { path: '*', element: <Landing /> },
  ];
  const router = create([
    { path: '/404', element: <NotFoundPage /> },
    { element: provide(<Shell />), errorElement: <RouteErrorPage />, children: pages },
  ]);
  cancelOnRouteChange(router);
  setNavigate((path) => void router.navigate(path));
  return router;
}

/** What the former page still waits for is of no use to the next (docs/behaviour.md section 4, Pending requests). Runs before the next page draws. */
function cancelOnRouteChange(router: Router): void {
  let { pathname } = router.state.location;
  router.subscribe(({ location }) => {
    if (location.pathname === pathname) return;
    pathname = location.pathname;
    api.cancelPending('Route changed');
  });
}

function resourceRoute({ path, resource, view, permission }: DerivedRoute): RouteObject[] {
  if (view === 'list') return [page(path, permission, () => <ResourceListPage key={resource.name} resource={resource} />)];
  const load = findShowPage(resource.name);
  if (!load) return [];
  const ShowPage = lazyPage(load);
  return [page(path, permission, () => <RecordPage page={ShowPage} />)];
}

function RecordPage({ page: Page }: { page: ComponentType<{ id: number }> }) {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? <Page key={id} id={id} /> : <NotFoundPage isInShell />;
}

function page(path: string, permission: string | undefined, Page: ComponentType): RouteObject {
  return {
    path,
    element: (
      <PageErrorBoundary key={path}>
        <Suspense fallback={<PageSkeleton />}>
          <Allowed permission={permission}>
            <Page />
          </Allowed>
        </Suspense>
      </PageErrorBoundary>
    ),
  };
}

function Allowed({ permission, children }: { permission: string | undefined; children: ReactNode }) {
  // The rights are here already: without them as a start, each page would begin with an empty one.
  const now = { can: can(permission) };
  return (
    <CanAccess action="open" params={{ permission }} queryOptions={{ initialData: now }} fallback={<NoPermission />}>
      {children}
    </CanAccess>
  );
}

const SHOWN_PATH = 80;

/** The bare address opens where the user begins, an unknown path the last used page that is allowed, and says so; without any there is nothing to show. */
function Landing() {
  const user = useUser();
  const { pathname } = useLocation();
  const isUnknown = pathname !== '/';
  useEffect(() => {
    if (isUnknown) toasts.info(translate('pages.notFound.redirected', { path: pathname.slice(0, SHOWN_PATH) }));
  }, [isUnknown, pathname]);
  const path = isUnknown ? landingPath() : startPath(user);
  return path ? <Navigate to={path} replace /> : <AccessDeniedPage />;
}
