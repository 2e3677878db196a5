import type { CurrentUser } from '../../../schemas/_generated/contract.ts';
import { ApiError, AUTH_TIMEOUT_MS, api, renewal } from '../http/index.ts';
import { forgetKept, queryClient } from '../queries.ts';
import { signWithPasskey } from '../passkeys.ts';
import { createStore, useStore } from '../store.ts';
import { holdsPermission, type PermissionCheck, type PermissionMode } from './permissions.ts';
import { countSessionFailure, forgetSessionFailures } from './failures.ts';

export { hasFailedTooOften, forgetSessionFailures } from './failures.ts';
export { holdsPermission, seesBelow, type PermissionCheck, type PermissionMode } from './permissions.ts';
export type { CurrentUser };

/** unauthenticated → user-loaded (the user is known, settings are not) → authenticated → unauthenticated (docs/behaviour.md section 4, Session). */
export type SessionState =
  { state: 'unauthenticated' } | { state: 'user-loaded'; user: CurrentUser } | { state: 'authenticated'; user: CurrentUser };

/** What Refine's `useCan` and `CanAccess` have asked begins with it; its own builder of keys would be in the code of the sign-in page. */
const ACCESS_KEY = ['access'];

const session = createStore<SessionState>({ state: 'unauthenticated' });
const tabs = typeof BroadcastChannel === 'function' ? new BroadcastChannel('canopy-session') : undefined;

/** Another session from now on: nothing that was kept for the former one is for this one, and other tabs load again. */
function tellChanged(): void {
  forgetKept();
  tabs?.postMessage('changed');
}

/** Whether two answers are about the same person in the same company with the same rights. */
function isSameReader(before: CurrentUser | undefined, now: CurrentUser): boolean {
  const reader = (user: CurrentUser) => JSON.stringify([user.id, user.company_id, user.role_id, user.act, user.permissions]);
  return before !== undefined && reader(before) === reader(now);
}

/** Asks who is signed in; throws `ApiError` (401 when nobody is). */
export async function loadUser(): Promise<CurrentUser> {
  try {
    const { data } = await api.get<CurrentUser>('/user', { timeoutMs: AUTH_TIMEOUT_MS, survivesRouteChange: true });
    forgetSessionFailures();
    const isSame = isSameReader(findUser(), data);
    session.set({ state: 'user-loaded', user: data });
    if (!isSame) {
      forgetKept();
      void queryClient.invalidateQueries({ queryKey: ACCESS_KEY });
    }
    return data;
  } catch (error) {
    const isNobody = error instanceof ApiError && error.status === 401;
    if (!isNobody) countSessionFailure();
    throw error;
  }
}

/** Marks the session as ready, once the user's settings are loaded. */
export function markAuthenticated(): void {
  const now = session.get();
  if (now.state === 'user-loaded') session.set({ state: 'authenticated', user: now.user });
}

/** Signs in; throws `ApiError` with the server's words when it refuses. */
export async function signIn(email: string, password: string): Promise<CurrentUser> {
  const { data } = await api.post<CurrentUser>('/account/login', { email, password }, { timeoutMs: AUTH_TIMEOUT_MS });
  forgetSessionFailures();
  tellChanged();
  return data;
}

/** Signs in with a passkey; throws `ApiError`, or what the browser says when its user gives up. */
export async function signInByPasskey(): Promise<CurrentUser> {
  const { data: options } = await api.post<Parameters<typeof signWithPasskey>[0]>('/account/passkey/options');
  const response = await signWithPasskey(options);
  const { data } = await api.post<CurrentUser>('/account/passkey', { response }, { timeoutMs: AUTH_TIMEOUT_MS });
  forgetSessionFailures();
  tellChanged();
  return data;
}

/**
 * Ends the session on the server and in the other tabs. Throws when the server could not be reached. The caller leaves for the sign-in page,
 * which is loaded again, so that nothing of this session stays in memory.
 */
export async function revokeSession(): Promise<void> {
  try {
    await api.post('/account/token/revoke', undefined, { timeoutMs: AUTH_TIMEOUT_MS });
  } catch (error) {
    // The cookies are worthless already: nothing is left to revoke.
    if (!(error instanceof ApiError && error.status === 401)) {
      countSessionFailure();
      throw error;
    }
  }
  tellChanged();
}

/** Lets this session act in another company of its person. The caller loads the console again: nothing of the old company may stay in memory. */
export async function switchCompany(companyId: number): Promise<void> {
  await api.post('/user/company', { company_id: companyId });
  tellChanged();
}

/** Starts impersonating the user of this request. The caller loads the console again. */
export async function startImpersonation(requestId: number): Promise<void> {
  await api.post(`/users/impersonation/${requestId}/start`);
  tellChanged();
}

/** Ends the impersonation and goes back to the own session. The caller loads the console again. */
export async function cancelImpersonation(): Promise<void> {
  await api.post('/user/cancel-impersonation');
  tellChanged();
}

/** Calls back when the session ended by itself, or when another tab signed in or out. */
export function onSessionLost(listener: (why: 'expired' | 'other-tab') => void): () => void {
  const handleMessage = () => listener('other-tab');
  tabs?.addEventListener('message', handleMessage);
  const stop = renewal.on('finished', (result) => {
    if (result === 'refused') listener('expired');
  });
  return () => {
    tabs?.removeEventListener('message', handleMessage);
    stop();
  };
}

/** The signed-in user, if any. */
export function findUser(): CurrentUser | undefined {
  const now = session.get();
  return now.state === 'unauthenticated' ? undefined : now.user;
}

/** The signed-in user; throws outside a session, so pages need no second check. */
export function requireUser(now: SessionState = session.get()): CurrentUser {
  if (now.state === 'unauthenticated') throw new Error('Nobody is signed in.');
  return now.user;
}

/** Whether the signed-in user holds a permission, or some or every one of a list; `undefined` asks for nothing. */
export function can(check: PermissionCheck | undefined, mode?: PermissionMode): boolean {
  const now = session.get();
  return holdsPermission(now.state === 'unauthenticated' ? [] : now.user.permissions, check, mode);
}

/** The session's present state. */
export function useSession(): SessionState {
  return useStore(session);
}

/** The signed-in user, inside the console. */
export function useUser(): CurrentUser {
  return requireUser(useStore(session));
}

/** `can` for components; renders again when the user changes. */
export function useCan(): typeof can {
  useStore(session);
  return can;
}
