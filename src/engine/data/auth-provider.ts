import type { AuthProvider } from '@refinedev/core';
import { requireUser, revokeSession, signIn } from '../../kernel/session/index.ts';

/** Refine's auth provider over our session. */
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
  // A session that ends is left in one place (app/start), which knows whether there is an own session to go back to.
  onError: () => Promise.resolve({}),
  getPermissions: () => Promise.resolve(requireUser().permissions),
  getIdentity: () => Promise.resolve(requireUser()),
};
