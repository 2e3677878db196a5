import { matchResourceFromRoute, ResourceContext, type IResourceItem, type ParseFunction, type RouterProvider } from '@refinedev/core';
import routerBindings from '@refinedev/react-router';
import { use, useCallback } from 'react';
import { useLocation, useParams } from 'react-router';

type Match = ReturnType<typeof matchResourceFromRoute>;

let last: { pathname: string; resources: readonly IResourceItem[]; match: Match } | undefined;

/** The resource of an address. Every hook of Refine asks for that of the present one: it is looked for once. */
function matchOf(pathname: string, resources: IResourceItem[]): Match {
  if (last?.pathname !== pathname || last.resources !== resources)
    last = { pathname, resources, match: matchResourceFromRoute(pathname, resources) };
  return last.match;
}

function useParse(): ParseFunction {
  const { pathname, search } = useLocation();
  const { resources } = use(ResourceContext);
  const { id } = useParams();
  return useCallback(() => {
    const { resource, action } = matchOf(pathname, resources);
    return {
      ...(resource ? { resource } : {}),
      ...(action ? { action } : {}),
      ...(id === undefined ? {} : { id }),
      pathname,
      params: Object.fromEntries(new URLSearchParams(search)),
    };
  }, [pathname, search, resources, id]);
}

/** Refine's own bindings to the router, with one look at the address for all hooks of a page. */
export const routerProvider: RouterProvider = { ...routerBindings, parse: useParse };
