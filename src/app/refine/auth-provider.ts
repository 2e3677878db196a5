import type { AuthProvider } from '@refinedev/core';
import { ApiError } from '../../kernel/http/index.ts';
import { requireUser, revokeSession, signIn } from '../../kernel/session/index.ts';

/** Refine's auth provider over our session. A 401 that reaches it has been renewed once already, so the session is over. */
export const authProvider: AuthProvider = {
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
  onError: (error: unknown) => Promise.resolve(error instanceof ApiError && error.status === 401 ? { logout: true, error } : {}),
  getPermissions: () => Promise.resolve(requireUser().permissions),
  getIdentity: () => Promise.resolve(requireUser()),
};
