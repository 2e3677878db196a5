import { useNotificationProvider } from '@refinedev/antd';
import type { NotificationProvider } from '@refinedev/core';
import { useEffect } from 'react';
import { ToastNotifications } from '../../ui/index.ts';

export interface AntdNotificationsProps {
  onReady: (provider: NotificationProvider) => void;
}

/** The notification provider of `@refinedev/antd`, whose notifications are drawn as toasts. Loaded with the first notification. */
export function AntdNotifications(props: AntdNotificationsProps) {
  return (
    <ToastNotifications>
      <HandOver {...props} />
    </ToastNotifications>
  );
}

function HandOver({ onReady }: AntdNotificationsProps) {
  const provider = useNotificationProvider();
  useEffect(() => onReady(provider));
  return null;
}
