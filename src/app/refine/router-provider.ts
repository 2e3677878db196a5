import type { RouterProvider } from '@refinedev/core';
import refineRouter from '@refinedev/react-router';
import { useCallback } from 'react';
import { useLocation } from 'react-router';

/**
 * Refine's hooks each read the address, several times in every page. Our pages name their resource and read their address themselves
 * (engine/table/list-state.ts), so that matching it with all resources again would only cost time before the first row.
 */
export const routerProvider: RouterProvider = {
  ...refineRouter,
  parse() {
    const { pathname } = useLocation();
    return useCallback(() => ({ pathname, params: {} }), [pathname]);
  },
};
