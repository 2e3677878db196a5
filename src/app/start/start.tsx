import '@ant-design/v5-patch-for-react-19';
import type { ComponentType, ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { draftsOf } from '../../engine/form/drafts.ts';
import { followAddedForms } from '../../engine/form/added-forms.ts';
import { readCookie } from '../../kernel/cookies.ts';
import { api, failureScreens } from '../../kernel/http/index.ts';
import { startI18n, withTexts } from '../../kernel/i18n/index.ts';
import { writeLocal } from '../../kernel/local.ts';
import {
  cancelImpersonation,
  findUser,
  hasFailedTooOften,
  loadUser,
  markAuthenticated,
  onSessionLost,
  revokeSession,
  type CurrentUser,
} from '../../kernel/session/index.ts';
import { settings } from '../../kernel/settings/index.ts';
import { adoptTimezone } from '../../kernel/settings/timezone.ts';
import { live } from '../../kernel/socket/index.ts';
import { applyHostTheme, applyUserTheme, renewTheme } from '../../kernel/theme/index.ts';
import { applyThemeMode } from '../../kernel/theme/mode.ts';
import { UiProvider } from '../../ui/index.ts';
import { watchChunkFailures } from './chunk-failures.ts';
import { decideStart, type StartFailure } from './decide-start.ts';
import type { PublicPage } from './PublicApp.tsx';
import { watchVersion } from './version.ts';

const loadConsole = withTexts(['shell', 'entities', 'lists', 'table', 'credit-types'], () => import('../ConsoleApp.tsx'));
const loadConnect = withTexts(['shell', 'entities', 'lists', 'table', 'credit-types'], () => import('../ConnectApp.tsx'));
const loadActingEnded = withTexts(['impersonation', 'shell'], () => import('./ActingEnded.tsx'));
const loadFailureScreen = withTexts(['start'], () => import('./FailureScreen.tsx'));
const loadOffer = withTexts(['dialogs'], () => import('../../engine/form/offer-drafts.ts'));
const PUBLIC_PATHS: Record<string, PublicPage> = {
  '/login': 'sign-in',
  '/set-up': 'set-up',
  '/invitation': 'invitation',
  '/forgotten-password': 'forgotten-password',
  '/new-password': 'new-password',
  '/confirm-email': 'confirm-email',
  '/external': 'external',
};

/**
 * Starts the console: texts, session and code are fetched side by side; then the app is mounted, or the sign-in page, the set-up page or a
 * failure screen (docs/behaviour.md section 4, Start-up).
 */
export async function start(): Promise<void> {
  installStyleNonce();
  watchChunkFailures();
  if (!navigator.onLine) {
    location.replace('/offline.html');
    return;
  }
  applyThemeMode();
  applyHostTheme();
  void removeServiceWorkers();
  writeLocal('client_version', String(__BUILT_AT__));
  const container = document.getElementById('root');
  if (!container) throw new Error('The page has no #root.');
  const root = createRoot(container);
  const texts = startI18n();
  failureScreens.on('show', ({ screen }) => void texts.then(() => showFailure(root, { kind: screen })));

  const page = PUBLIC_PATHS[location.pathname];
  if (page) await startPublic(root, texts, page);
  else await startConsole(root, texts);
}

async function startPublic(root: Root, texts: Promise<void>, page: PublicPage): Promise<void> {
  // The links of mails work for anyone who is signed in too; accepting an invitation as somebody else puts the new session in the place of the old one.
  const isForNobody = page === 'sign-in' || page === 'set-up';
  if (isForNobody && hasSessionHint() && (await isSignedIn())) location.replace('/');
  else await showPublic(root, texts, page);
}

/** Only the theme of the installation shows the terms; in another one they count as accepted (docs/behaviour.md section 4, Terms of service). */
async function acceptsTermsSilently({ theme }: CurrentUser): Promise<boolean> {
  if (theme === null || theme.default) return false;
  return api.put('/account/user', { tos_accepted: true }).then(
    () => true,
    () => false,
  );
}

async function startConsole(root: Root, texts: Promise<void>): Promise<void> {
  if (!hasSessionHint()) {
    await showPublic(root, texts, 'sign-in');
    return;
  }
  if (hasFailedTooOften()) {
    await texts;
    await showFailure(root, { kind: 'maintenance' });
    return;
  }
  const code = location.pathname.includes('rms-connect/') ? loadConnectPage() : loadConsolePages();
  const stored = settings.load();
  let user: CurrentUser;
  try {
    user = await loadUser();
  } catch (error) {
    await texts;
    const failure = decideStart(error);
    if (failure.kind !== 'sign-in') return showFailure(root, failure);
    // The server leaves the cookies of an impersonated session, because they lead back to the own one.
    if (hasSessionHint() && (await isDone(cancelImpersonation()))) return location.replace('/');
    await revokeSession().catch(() => undefined);
    return showPublic(root, texts, 'sign-in');
  }
  if (!user.tos_accepted) {
    // What was asked for beside the user was refused until now.
    if (await acceptsTermsSilently(user)) return location.reload();
    await texts;
    return showFailure(root, { kind: 'terms-not-accepted' });
  }
  void code.then(({ prefetch }) => prefetch());
  const [{ App }] = await Promise.all([code, texts, stored]);
  markAuthenticated();
  // During impersonation the impersonator's own time zone is kept.
  if (!user.act) adoptTimezone();
  applyUserTheme(user.theme);
  const stopWaiting = onSessionLost((why) => {
    // Further calls that are refused would load the sign-in page repeatedly.
    stopWaiting();
    void leaveSession(root, why);
  });
  // Its code is here already when acting is ended: nothing of the user may stay in view meanwhile.
  if (user.act) void loadActingEnded();
  live.follow(`private-notifications.${user.id}`, {
    onEvent: (event, payload) => {
      if (event === 'SessionEnded' && user.act && isEndOfConsent(payload)) return void showActingEnded(root, user);
      // Perhaps another session of the same person: asking shows it, and a refusal ends this one as any other 401 does.
      if (event === 'SessionEnded') void loadUser().catch(() => undefined);
      // What the user may do is another thing now: menu, pages and actions follow the new rights, without a reload.
      if (event === 'PermissionsChanged') void reloadUser().catch(() => undefined);
      if (event === 'ThemeChanged')
        void reloadUser()
          .then(renewTheme)
          .catch(() => undefined);
    },
  });
  followAddedForms();
  watchVersion();
  draw(root, <App />);
  if (draftsOf(user.id).length > 0) void loadOffer().then(({ offerDrafts }) => offerDrafts(user.id));
}

/** What a signed-in user gets, and what can be asked for before it is drawn. */
interface StartedApp {
  App: ComponentType;
  prefetch(): void;
}

async function loadConsolePages(): Promise<StartedApp> {
  const { ConsoleApp, prefetchFirstList } = await loadConsole();
  return { App: ConsoleApp, prefetch: () => prefetchFirstList(location) };
}

async function loadConnectPage(): Promise<StartedApp> {
  const { ConnectApp } = await loadConnect();
  return { App: ConnectApp, prefetch: () => undefined };
}

function draw(root: Root, page: ReactNode): void {
  root.render(<UiProvider>{page}</UiProvider>);
}

async function reloadUser(): Promise<CurrentUser['theme']> {
  const { theme } = await loadUser();
  markAuthenticated();
  return theme;
}

/** The forgery cookie lives as long as a session may; without it nobody is signed in, and asking would only cost time. */
function hasSessionHint(): boolean {
  return readCookie('XSRF-TOKEN') !== undefined;
}

async function isSignedIn(): Promise<boolean> {
  try {
    await loadUser();
    return true;
  } catch {
    return false;
  }
}

async function isDone(call: Promise<void>): Promise<boolean> {
  return call.then(
    () => true,
    () => false,
  );
}

/** Events come in batches. */
function isEndOfConsent(payload: unknown): boolean {
  return [payload].flat().some((item) => typeof item === 'object' && item !== null && 'reason' in item && item.reason === 'consent-ended');
}

async function showActingEnded(root: Root, user: CurrentUser): Promise<void> {
  const { ActingEnded } = await loadActingEnded();
  live.close();
  draw(root, <ActingEnded name={user.username} />);
}

async function leaveSession(root: Root, why: 'expired' | 'other-tab'): Promise<void> {
  if (why === 'other-tab') {
    location.reload();
    return;
  }
  const user = findUser();
  if (user?.act) return showActingEnded(root, user);
  await revokeSession().catch(() => undefined);
  location.assign(`/login?continue_url=${encodeURIComponent(location.pathname + location.search)}`);
}

async function showPublic(root: Root, texts: Promise<void>, requested: PublicPage): Promise<void> {
  const asked = api.get<{ needed: boolean }>('/set-up');
  const [{ PublicApp }] = await Promise.all([import('./PublicApp.tsx'), texts]);
  try {
    const { data } = await asked;
    const page = data.needed ? 'set-up' : requested === 'set-up' ? 'sign-in' : requested;
    if (location.pathname !== '/set-up' && page === 'set-up') history.replaceState(null, '', '/set-up');
    if (location.pathname !== '/login' && page === 'sign-in') history.replaceState(null, '', signInAddress(requested));
    draw(root, <PublicApp page={page} />);
  } catch (error) {
    await showFailure(root, decideStart(error));
  }
}

function signInAddress(requested: PublicPage): string {
  // What is after the # may be the token of a mailed link, and must not reach the server.
  const here = location.pathname + location.search;
  return requested === 'set-up' || here === '/' ? '/login' : `/login?continue_url=${encodeURIComponent(here)}${location.hash}`;
}

async function showFailure(root: Root, failure: StartFailure): Promise<void> {
  const { FailureScreen } = await loadFailureScreen();
  draw(root, <FailureScreen failure={failure} />);
}

/** Removes service workers and their caches, left by whatever was served from this address before: they would answer with old files. */
export async function removeServiceWorkers(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  try {
    const registrations = await navigator.serviceWorker.getRegistrations();
    if (registrations.length === 0) return;
    await Promise.all(registrations.map((registration) => registration.unregister()));
    await Promise.all((await caches.keys()).map((key) => caches.delete(key)));
  } catch {
    // Refused by the browser's settings: then there are none either.
  }
}

/**
 * Lets libraries add style sheets under our content policy (`style-src 'self' 'nonce-…'`): every `<style>` element made from now on
 * carries the page's nonce. Without it such sheets are dropped in silence.
 */
export function installStyleNonce(page: Document = document): void {
  const nonce = page.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
  if (!nonce) return;
  const createElement = page.createElement.bind(page);
  page.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = createElement(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
}
