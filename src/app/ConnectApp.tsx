import { Suspense } from 'react';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { RefineProviders } from '../engine/data/RefineProviders.tsx';
import { lazyPage } from './lazy-page.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { PageErrorBoundary } from './pages/PageErrorBoundary.tsx';
import { PageSkeleton } from './pages/PageSkeleton.tsx';
import { findConnectPage, registerRooms } from './rooms.ts';
import { routerProvider } from './router-provider.ts';
import { Overlays } from './shell/Overlays.tsx';

registerRooms();

const load = findConnectPage(location.pathname);
const Page = load ? lazyPage(load) : NotFoundPage;

const router = createBrowserRouter([
  {
    path: '*',
    element: (
      <RefineProviders routerProvider={routerProvider}>
        <PageErrorBoundary>
          <Suspense fallback={<PageSkeleton />}>
            <Page />
          </Suspense>
        </PageErrorBoundary>
        <Overlays />
      </RefineProviders>
    ),
  },
]);

/** A connect page (docs/behaviour.md section 2, Start-up entry): a terminal, files or a desktop in a window of its own. */
export function ConnectApp() {
  return <RouterProvider router={router} />;
}
