import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import type { Drawing, PageToDraw } from '../schemas/kit/drawing-types.ts';
import { askForFirstList } from './app/first-list.ts';
import { RefineProviders } from './app/RefineProviders.tsx';
import { registerRooms } from './app/rooms.ts';
import { makeRouter } from './app/router.tsx';
import { NARROW } from './engine/table/use-media.ts';
import { api } from './kernel/http/index.ts';
import { LANGUAGES, startI18n } from './kernel/i18n/index.ts';
import { loadUser, markAuthenticated } from './kernel/session/index.ts';
import { settings } from './kernel/settings/index.ts';
import { applyHostTheme, applyUserTheme } from './kernel/theme/index.ts';

registerRooms();

/**
 * Draws the first page of a signed-in user's console to text, with the same components as in browsers. One page at a time: who is signed in,
 * their settings, language and answers belong to the module, and are all put anew for each page.
 */
export async function drawPage(page: PageToDraw): Promise<Drawing | undefined> {
  const language = LANGUAGES.find(({ code }) => code === page.language)?.code;
  const variables: Record<string, string> = {};
  Object.assign(globalThis, { document: documentOf(page, variables) });
  api.cancelPending('Another page');
  api.adopt(page.answers);
  await Promise.all([startI18n(language), settings.load(), askForFirstList(new URL(page.address, 'http://console'))]);
  const user = await loadUser();
  if (!user.tos_accepted) return undefined;
  markAuthenticated();
  applyHostTheme();
  applyUserTheme(user.theme);
  const router = makeRouter(
    (routes) => createMemoryRouter(routes, { initialEntries: [page.address] }),
    (children) => <RefineProviders>{children}</RefineProviders>,
  );
  try {
    return { html: renderToString(<RouterProvider router={router} />), variables, notFor: NARROW };
  } finally {
    router.dispose();
  }
}

/** What the console asks a document before anything of it is in one. */
function documentOf({ cookies, theme }: PageToDraw, variables: Record<string, string>) {
  return {
    cookie: cookies,
    documentElement: { lang: '', style: { setProperty: (name: string, value: string) => void (variables[name] = value) } },
    querySelector: (selector: string) => (selector === 'meta[name="theme"]' && theme !== undefined ? { content: theme } : null),
  };
}
