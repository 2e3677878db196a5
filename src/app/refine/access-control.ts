import type { AccessControlProvider } from '@refinedev/core';
import type { Resource } from '../../engine/resources/resource.ts';
import { can } from '../../kernel/session/index.ts';

/** Refine's access control by our permission names: a list or a page needs what its resource says, anything else what `params.permission` says. */
export function makeAccessControl(findResource: (name: string) => Resource | undefined): AccessControlProvider {
  return {
    can: ({ resource: name, action, params }) => {
      const asked: unknown = params?.['permission'];
      const permission = findResource(name ?? '')?.permission;
      const needed = typeof asked === 'string' ? asked : action === 'show' ? (permission?.show ?? permission?.list) : permission?.list;
      return Promise.resolve({ can: can(needed) });
    },
    options: { buttons: { enableAccessControl: true, hideIfUnauthorized: true }, queryOptions: { staleTime: 0 } },
  };
}
