import type { Automation } from '../../../schemas/_generated/contract.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import { openDialog } from '../../engine/dialogs/index.ts';
import { openForm } from '../../engine/form/index.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';
import { api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { saveText } from '../../ui/index.ts';
import { exportOf, importedFrom } from './exchange.ts';

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

/** Saves the chosen automation as a file that another company or installation can import. */
export async function exportAutomation({ rows }: ActionContext): Promise<void> {
  const [row] = rows;
  if (!row) return;
  try {
    const { data } = await api.get<Automation>(`/automations/${row.id}`);
    saveText(JSON.stringify(exportOf(data), null, 2), `${data.name.replace(/[^\p{L}\p{N}]+/gu, '-')}.json`, 'application/json');
  } catch (error) {
    if (!isCancelled(error)) toasts.error(failureMessage(error));
  }
}

/** The text of a file that the user chooses; undefined without one. */
function chooseText(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = '.json,application/json';
    input.addEventListener('change', () => void (input.files?.[0]?.text() ?? Promise.resolve(undefined)).then(resolve));
    input.addEventListener('cancel', () => resolve(undefined));
    input.click();
  });
}

/** Opens the form for a new automation with what an exported file says; it is added turned off, for the user to look at first. */
export async function importAutomation({ reload }: ActionContext): Promise<void> {
  const text = await chooseText();
  if (text === undefined) return;
  const imported = importedFrom(text);
  if ('fault' in imported) {
    toasts.error(translate(imported.fault.key, imported.fault.params));
    return;
  }
  if (await openForm('automations/new', { initial: imported.values as Record<string, JsonValue> })) reload();
}
