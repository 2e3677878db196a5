import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import { openForm } from '../../engine/form/index.ts';
import { failureMessage } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { roleTitle } from '../../kernel/session/role-title.ts';
import { toasts } from '../../kernel/toasts/index.ts';

interface RoleToCopy {
  name: string;
  title: string;
  description: string | null;
  scope: string;
  permission_id: number[];
}

/** What a role that is made after another one begins with. */
export function copyOf(role: RoleToCopy): Record<string, JsonValue> {
  return {
    title: translate('roles.copy_of', { title: roleTitle(role) }),
    ...(role.description === null ? {} : { description: role.description }),
    scope: role.scope === 'company' ? 'company' : 'tree',
    permission_id: role.permission_id,
  };
}

/** Opens a new role that begins with the permissions of another one, a built-in one too. */
export async function copyRole({ rows, reload }: ActionContext): Promise<boolean> {
  const [row] = rows;
  if (!row) return false;
  try {
    const { data } = await dataProvider.custom<RoleToCopy>({ url: `/roles/${row.id}`, method: 'get' });
    const isMade = (await openForm('roles/new', { initial: copyOf(data) })) !== undefined;
    if (isMade) reload();
    return isMade;
  } catch (error) {
    toasts.error(failureMessage(error));
    return false;
  }
}
