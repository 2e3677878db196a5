import AppContext, { type useAppProps as AppApi } from 'antd/es/app/context';
import { useContext, useMemo, type ReactNode } from 'react';
import { toasts } from '../kernel/toasts/index.ts';

type Notification = AppApi['notification'];
type Notice = Parameters<Notification['open']>[0];

const shown = new Map<React.Key, number>();

/** antd's interface for notifications, drawn as toasts. A heading (`message`) is before the text (`description`); both are plain texts. */
export const toastNotification: Notification = {
  open: showNotice,
  success: (notice) => showNotice({ ...notice, type: 'success' }),
  error: (notice) => showNotice({ ...notice, type: 'error' }),
  info: (notice) => showNotice({ ...notice, type: 'info' }),
  warning: (notice) => showNotice({ ...notice, type: 'warning' }),
  destroy(key) {
    const ids = key === undefined ? shown.values() : [shown.get(key)];
    for (const id of ids) if (id !== undefined) toasts.close(id);
    if (key === undefined) shown.clear();
    else shown.delete(key);
  },
};

function showNotice({ key, message, description, type }: Notice): void {
  const texts = [message, description].filter((text) => typeof text === 'string' && text !== '');
  const id = toasts.show({ message: texts.join(': '), ...(type ? { type } : {}) });
  if (key !== undefined) shown.set(key, id);
}

/** Whatever asks antd's `App` for notifications below it shows toasts. */
export function ToastNotifications({ children }: { children: ReactNode }) {
  const app = useContext(AppContext);
  const value = useMemo(() => ({ ...app, notification: toastNotification }), [app]);
  return <AppContext.Provider value={value}>{children}</AppContext.Provider>;
}
