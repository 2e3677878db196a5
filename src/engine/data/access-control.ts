import type { AccessControlProvider } from '@refinedev/core';
import { can } from '../../kernel/session/index.ts';
import type { Resource } from '../resources/resource.ts';

/** Refine's access control by our permission names: a list or a page needs what its resource says, anything else what `params.permission` says. */
export function makeAccessControl(entries: readonly Resource[]): AccessControlProvider {
  return {
    can: ({ resource: name, action, params }) => {
      const asked: unknown = params?.['permission'];
      const permission = entries.find((entry) => entry.name === name)?.permission;
      const needed = typeof asked === 'string' ? asked : action === 'show' ? (permission?.show ?? permission?.list) : permission?.list;
      return Promise.resolve({ can: can(needed) });
    },
    options: { buttons: { enableAccessControl: true, hideIfUnauthorized: true }, queryOptions: { staleTime: 0 } },
  };
}
