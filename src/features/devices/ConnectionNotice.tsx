import { useCustom } from '@refinedev/core';
import type { Device } from '../../../schemas/_generated/contract.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner } from '../../ui/index.ts';

// Attempt codes with words of their own: 7 duplicate serial number with another MAC, 14 monitoring disabled, 15 no active credit.
// 0, 10, 12, 20 and 104 only say that the device tried to connect.
const OWN_WORDS = new Set([7, 14, 15]);

/** Why the device is not online as it should be, in words, and what to do next. Nothing while all is well. */
export function ConnectionNotice({ device }: { device: Device }) {
  const t = useT();
  if (device.quarantine) {
    return (
      <Banner kind="warn" title={t(`devices.quarantine.${device.quarantine}`)}>
        {t(`devices.quarantine.${device.quarantine}.next`)}
      </Banner>
    );
  }
  const code = device.failed_auth_reason;
  if (device.status === 1) return null;
  if (code !== null) {
    const words = OWN_WORDS.has(code) ? String(code) : 'tried';
    return (
      <Banner kind="warn" title={t(`devices.attempt.${words}`, { code })}>
        {t(`devices.attempt.${words}.next`)}
      </Banner>
    );
  }
  if (device.status === 0) return <Banner kind="info">{t('devices.offline.next')}</Banner>;
  return <NotActivated deviceId={device.id} />;
}

interface Awaited {
  has_proof: boolean;
  firmware_file_name: string | null;
  config_file_name: string | null;
  user_name: string;
}

/** What a device that has never said hello waits for, and gets then. */
function NotActivated({ deviceId }: { deviceId: number }) {
  const t = useT();
  const { query } = useCustom<Awaited>({ url: `/devices/${deviceId}/awaited`, method: 'get', errorNotification: false });
  const awaited = query.data?.data;
  // @NOTE null for a device that nobody has added ahead.
  if (!awaited?.user_name) {
    return (
      <Banner kind="info" title={t('devices.not_activated')}>
        {t('devices.not_activated.next')}
      </Banner>
    );
  }
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
