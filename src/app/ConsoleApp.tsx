import { useState } from 'react';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { RefineProviders } from '../engine/data/RefineProviders.tsx';
import { registerRooms } from './rooms.ts';
import { makeRouter, type Router } from './router.tsx';
import { routerProvider } from './router-provider.ts';
import { Overlays } from './shell/Overlays.tsx';

export { prefetchFirstList } from './first-list.ts';

// Not with the module: the window of a terminal shares code with it and has a router of its own.
function startRouter(): Router {
  registerRooms();
  return makeRouter(createBrowserRouter, (children) => (
    <RefineProviders routerProvider={routerProvider}>
      {children}
      <Overlays />
    </RefineProviders>
  ));
}

/** The console of a signed-in user. */
export function ConsoleApp() {
  const [router] = useState(startRouter);
  return <RouterProvider router={router} />;
}
