import type { Room } from '../../engine/rooms/room.ts';

/** The companies: the page of one, and the tree of all. */
export const room: Room = {
  showPages: { companies: () => import('./CompanyPage.tsx') },
  pages: [{ path: '/companies/tree', permission: 'view_companies', load: () => import('./CompanyTreePage.tsx') }],
};
