import { createBrowserRouter, RouterProvider } from 'react-router';
import { askForFirstList } from './first-list.ts';
import { RefineProviders } from './RefineProviders.tsx';
import { registerRooms } from './rooms.ts';
import { makeRouter } from './router.tsx';
import { Overlays } from './shell/Overlays.tsx';

/** Settles when the rows of the first list are here, or are not wanted. */
export const firstList = askForFirstList(location);
registerRooms();

const router = makeRouter(createBrowserRouter, (children) => (
  <RefineProviders>
    {children}
    <Overlays />
  </RefineProviders>
));

/** The console of a signed-in user. */
export function ConsoleApp() {
  return <RouterProvider router={router} />;
}
