import { openDialog } from '../../engine/dialogs/index.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';
import { api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';

async function put(path: string, body: Record<string, unknown>, done: string, { reload }: ActionContext): Promise<void> {
  try {
    await api.put(path, body);
    toasts.success(translate(done));
    reload();
  } catch (error) {
    if (!isCancelled(error)) toasts.error(failureMessage(error, { fallback: translate('automations.failed') }));
  }
}

const idsOf = ({ rows }: ActionContext): number[] => rows.map(({ id }) => Number(id));

/** Turns the chosen automations on. */
export const enable = (context: ActionContext): Promise<void> =>
  put('/automations/activate', { enable: true, automations: idsOf(context) }, 'automations.enabled', context);

/** Turns the chosen automations off. */
export const disable = (context: ActionContext): Promise<void> =>
  put('/automations/activate', { enable: false, automations: idsOf(context) }, 'automations.disabled', context);

function onDevice(context: ActionContext, isEnabled: boolean): Promise<void> {
  const [row] = context.rows;
  const path = `/automations/${String(row?.['automation_id'])}/devices/activation`;
  return put(path, { enable: isEnabled, devices: idsOf(context) }, isEnabled ? 'automations.enabled' : 'automations.disabled', context);
}

/** Turns an automation on for the chosen device. */
export const enableDevice = (context: ActionContext): Promise<void> => onDevice(context, true);

/** Turns an automation off for the chosen device. */
export const disableDevice = (context: ActionContext): Promise<void> => onDevice(context, false);

/** Shows why an automation has or has not acted on the chosen device. */
export async function explain({ rows }: ActionContext): Promise<void> {
  const [row] = rows;
  if (!row) return;
  const { automation_id: automationId, device_name: name } = row;
  if (typeof automationId === 'number')
    await openDialog('automations.explain', { automationId, deviceId: Number(row.id), name: String(name) });
}
