import type { Change } from '../../../schemas/_generated/contract.ts';
import { hasText, type Translate } from '../../kernel/i18n/index.ts';
import { jobTitle } from './job-title.ts';

/** The text of an action; one without a text is its own name. */
export function actionText(t: Translate, action: string): string {
  return hasText(`history.actions.${action}`) ? t(`history.actions.${action}`) : action;
}

const nameIn = (record: Change['before']): string | undefined => (typeof record?.['name'] === 'string' ? record['name'] : undefined);

const permissionText = (t: Translate, name: string): string => (hasText(`permissions.${name}`) ? t(`permissions.${name}`) : name);

/** Why an attempt was denied, as a sentence, from what was kept of it; the code where there is none. */
function reasonText(t: Translate, { reason, missing, permission, scope }: Record<string, unknown>): string {
  if (Array.isArray(missing)) {
    const rights = missing.map((name) => permissionText(t, String(name))).join(', ');
    return t(missing.length === 1 ? 'history.denied.right' : 'history.denied.rights', { rights });
  }
  const key = `history.denied.${String(reason)}`;
  if (!hasText(key)) return String(reason);
  return t(key, { permission: permissionText(t, String(permission)), scope: permissionText(t, String(scope)) });
}

/** "Set APN finished on 20 devices, 1 failed"; a job of which no more is kept by its kind. */
function jobSentence(t: Translate, { action, after, entity_name: kind }: Change): string {
  const total = after?.['total'];
  const input = after?.['input'];
  const name = jobTitle({ kind: kind ?? '', input });
  if (typeof total !== 'number')
    return t(action.startsWith('jobs.') ? 'history.say.any' : 'history.say.job', { action: actionText(t, action), name });
  const failed = failedOf(after?.['counts']);
  if (!action.startsWith('jobs.')) return t('history.say.jobStarted', { name, count: total });
  return t(failed > 0 ? 'history.say.jobFailed' : 'history.say.jobFinished', { name, count: total, failed });
}

function failedOf(counts: unknown): number {
  if (typeof counts !== 'object' || counts === null) return 0;
  return Object.entries(counts).reduce(
    (sum, [state, count]) => (['failed', 'timed-out'].includes(state) && typeof count === 'number' ? sum + count : sum),
    0,
  );
}

/** A change as a sentence: "12 devices moved from Harbour to Pier". */
export function changeSentence(t: Translate, change: Change): string {
  const { action, count, entity, from_name: from, to_name: to } = change;
  const kind = `values.job.kind.${change.entity_name}`;
  if (entity === 'job' && count === 1 && hasText(kind)) return jobSentence(t, change);
  if (action === 'account.denied' && change.after)
    return t('history.say.denied', { reason: reasonText(t, change.after), call: String(change.after['call']) });
  const [was, name] = [nameIn(change.before), nameIn(change.after)];
  if (was !== undefined && name !== undefined && was !== name) return t('history.say.renamed', { was, name });
  const params = { action: actionText(t, action), count, name: change.entity_name, from, to };
  const say = `history.${count > 1 ? 'sayMany' : 'say'}.`;
  // `from` and `to` are absent for readers who see no companies.
  const ends = to ? [...(from ? ['.fromTo'] : []), '.to', ''] : [''];
  const key = ends.map((end) => `${say}${action}${end}`).find((known) => hasText(count > 1 ? `${known}_other` : known));
  if (key) return t(key, params);
  return count === 1 && !change.entity_name ? params.action : t(`${say}any`, params);
}

/** Who did it; while impersonating, also for whom. */
export function whoText(t: Translate, { user_name, on_behalf_of_name }: { user_name: string; on_behalf_of_name: string | null }): string {
  if (on_behalf_of_name === null) return user_name || t('history.system');
  return t('history.onBehalf', { actor: user_name, user: on_behalf_of_name });
}

/** Where it came from: the console, a token by its name, the system; with the address. */
export function whereText(t: Translate, { via, token_name, ip }: Pick<Change, 'via' | 'token_name' | 'ip'>): string {
  const through = via === 'system' ? '' : t(`values.change.via.${via}`);
  return [token_name ? `${through} ${token_name}` : through, ip, '']
    .filter((part, place, all) => part || place === all.length - 1)
    .join(' · ');
}
