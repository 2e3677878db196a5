import type { Room } from '../../engine/rooms/room.ts';
import { registerCell } from '../../engine/resources/registry.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** The companies: the page of one, and the tree of all. */
export const room: Room = {
  register() {
    registerCell(
      'company-devices',
      withTexts(['companies'], async () => (await import('./cells.tsx')).CompanyDevicesCell),
    );
  },
  showPages: { companies: withTexts(['companies', 'readings'], () => import('./CompanyPage.tsx')) },
  pages: [{ path: '/companies/tree', permission: 'view_companies', load: withTexts(['companies'], () => import('./CompanyTreePage.tsx')) }],
};
