import type { PermissionName } from '../../../schemas/_generated/contract.ts';
import { withoutView } from '../../../schemas/kit/resources/permission-views.ts';
import type { Db } from '../../db/schema.ts';
import { listPermissionOf } from '../resources.ts';
import { topOf } from '../tenancy.ts';
import { allPermissions, isOfCredits } from './permission-list.ts';

/** What a theme says of parts of the console. */
interface DisabledParts {
  disabled_routes?: string[];
  show_data?: boolean;
}

/**
 * What is left of permissions where the theme has switched parts of the console off: without the permission that shows such a part, and
 * without the actions that need it; without those of credits and data where it does not show them. So these parts are gone from the menu, the search, addresses and the API alike.
 */
export async function withoutDisabledParts(
  db: Db,
  companyPath: string,
  held: ReadonlySet<PermissionName>,
): Promise<ReadonlySet<PermissionName>> {
  const row = await db.selectFrom('themes').select('branding').where('company_id', '=', topOf(companyPath)).executeTakeFirst();
  if (!row) return held;
  const { disabled_routes: routes = [], show_data: isShowingData = true } = JSON.parse(row.branding) as DisabledParts;
  const views = routes.map(listPermissionOf);
  const left = views.reduce((names, view) => (view === undefined ? names : withoutView(names, view, allPermissions)), [
    ...held,
  ] as string[]);
  return new Set([...held].filter((name) => left.includes(name) && (isShowingData || !isOfCredits(name))));
}
