import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { RefineProviders } from '../engine/data/RefineProviders.tsx';
import { registerRooms } from './rooms.ts';
import { makeRouter } from './router.tsx';
import { routerProvider } from './router-provider.ts';
import { Overlays } from './shell/Overlays.tsx';

export { prefetchFirstList } from './first-list.ts';

registerRooms();

const router = makeRouter(createBrowserRouter, (children) => (
  <RefineProviders routerProvider={routerProvider}>
    {children}
    <Overlays />
  </RefineProviders>
));

/** The console of a signed-in user. */
export function ConsoleApp() {
  return <RouterProvider router={router} />;
}
