import type { ActionContext } from '../../engine/resources/registry.ts';
import { api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';

const toggle =
  (send: (row: ActionContext['rows'][number]) => Promise<unknown>, done = 'vpn.saved') =>
  async ({ rows, reload }: ActionContext): Promise<void> => {
    const [row] = rows;
    if (!row) return;
    try {
      await send(row);
      toasts.success(translate(done));
      reload();
    } catch (error) {
      if (!isCancelled(error)) toasts.error(failureMessage(error, { fallback: translate('vpn.failed') }));
    }
  };

const hub = (isOn: boolean) => toggle(({ id }) => api.put(`/vpn/hubs/${id}/toggle`, { enabled: isOn }));
const client = (isOn: boolean) => toggle(({ id }) => api.post(`/vpn/hubs/users/${id}/toggle`, { enabled: isOn }));

export const enableHub = hub(true);
export const disableHub = hub(false);
export const enableClient = client(true);
export const disableClient = client(false);
/** Has the device of a client get its configuration. */
export const syncClient = toggle((row) => api.post(`/vpn/hubs/${row['vpn_hub_id']}/devices/${row['object_id']}/sync`), 'vpn.sync_started');
