import type { ActionContext } from '../../engine/resources/registry.ts';
import { api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';

const toggle =
  (send: (id: number) => Promise<unknown>) =>
  async ({ rows, reload }: ActionContext): Promise<void> => {
    const [row] = rows;
    if (!row) return;
    try {
      await send(Number(row.id));
      toasts.success(translate('vpn.saved'));
      reload();
    } catch (error) {
      if (!isCancelled(error)) toasts.error(failureMessage(error, { fallback: translate('vpn.failed') }));
    }
  };

const hub = (isOn: boolean) => toggle((id) => api.put(`/vpn/hubs/${id}/toggle`, { enabled: isOn }));
const client = (isOn: boolean) => toggle((id) => api.post(`/vpn/hubs/users/${id}/toggle`, { enabled: isOn }));

export const enableHub = hub(true);
export const disableHub = hub(false);
export const enableClient = client(true);
export const disableClient = client(false);
