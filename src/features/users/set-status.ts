import type { User } from '../../../schemas/_generated/contract.ts';
import { appliesTo } from '../../engine/actions/applicability.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import { confirm } from '../../engine/dialogs/index.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';
import { failureMessage, itemMessage } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';

// The server takes as many at once.
const MAX_USERS = 100;
type Member = Pick<User, 'id' | 'company_id'>;

/** Whom an action is for, each in the company that the list shows them in; `undefined`, after saying so, when they are too many at once. */
async function chosenMembers({ action, selection }: ActionContext, isDisabled: boolean): Promise<Member[] | undefined> {
  if (selection.mode === 'all' && selection.count > MAX_USERS) {
    toasts.error(translate('users.status.tooMany', { max: MAX_USERS }));
    return undefined;
  }
  if (selection.mode === 'rows') {
    const rows = [...selection.rows.values()].filter((row) => appliesTo(action, row));
    return rows.map((row) => ({ id: row.id, company_id: Number(row['company_id']) }));
  }
  const { data } = await dataProvider.getList<User>({
    resource: 'users',
    pagination: { currentPage: 1, pageSize: MAX_USERS },
    meta: { query: selection.query },
  });
  return data.filter((user) => user.is_disabled === isDisabled).map(({ id, company_id }) => ({ id, company_id }));
}

async function setStatus(context: ActionContext, disabled: boolean): Promise<boolean> {
  try {
    const members = await chosenMembers(context, !disabled);
    if (!members || members.length === 0) return false;
    if (disabled && !(await isMeant(members.length))) return false;
    const { data, errors } = await dataProvider.custom<User[]>({
      url: '/users/status',
      method: 'put',
      payload: { members, disabled },
    });
    const problems = [...new Set(errors.map((item) => itemMessage(item)))].join(' ');
    if (errors.length > 0) toasts.warning(translate('users.status.partly', { count: errors.length, problems }), { durationMs: Infinity });
    if (data.length > 0) toasts.success(translate(disabled ? 'users.status.disabled' : 'users.status.enabled', { count: data.length }));
    context.reload();
    return true;
  } catch (error) {
    toasts.error(failureMessage(error, { fallback: translate('users.status.failed') }));
    return false;
  }
}

function isMeant(count: number): Promise<boolean> {
  return confirm({
    title: translate('users.status.disableTitle', { count }),
    promptContent: translate('users.status.disableText'),
    confirmText: translate('actions.users.disable'),
    danger: true,
  });
}

/** Lets the chosen users in again. */
export function enableChosen(context: ActionContext): Promise<boolean> {
  return setStatus(context, false);
}

/** Keeps the chosen users out, after asking; their sessions end at once. */
export function disableChosen(context: ActionContext): Promise<boolean> {
  return setStatus(context, true);
}
