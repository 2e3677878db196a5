import { useCustom } from '@refinedev/core';
import type { ReactNode } from 'react';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner } from '../../ui/index.ts';

interface Awaited {
  has_proof: boolean;
  firmware_file_name: string | null;
  config_file_name: string | null;
  user_name: string;
}

/** What a device that was added ahead waits for, and gets then; `otherwise` for one that was not. */
export function AwaitedNotice({ deviceId, otherwise }: { deviceId: number; otherwise: ReactNode }) {
  const t = useT();
  const { query } = useCustom<Awaited, ApiError>({ url: `/devices/${deviceId}/awaited`, method: 'get', errorNotification: false });
  const awaited = query.data?.data;
  // @NOTE null for a device that nobody has added ahead.
  if (!awaited?.user_name) return otherwise;
  return (
    <Banner kind="info" title={t('devices.awaited.title', { name: awaited.user_name })}>
      {[
        t(awaited.has_proof ? 'devices.awaited.proof' : 'devices.awaited.code'),
        ...(awaited.firmware_file_name ? [t('devices.awaited.firmware', { name: awaited.firmware_file_name })] : []),
        ...(awaited.config_file_name ? [t('devices.awaited.config', { name: awaited.config_file_name })] : []),
      ].join(' · ')}
    </Banner>
  );
}
