import { NotReported, ReportLine, type DetailsPartProps } from './DetailsParts.tsx';
import { NetworkMap } from './NetworkMap.tsx';
import { useT } from '../../kernel/i18n/index.ts';
import styles from './details.module.css';

/** Who is in the network of a device, as a map. */
export function DeviceNetworkMap({ device, details }: DetailsPartProps) {
  const t = useT();
  if (!details.ports && !details.leases && !details.wireless) return <NotReported device={device} details={details} />;
  return (
    <div className={styles.column}>
      <ReportLine device={device} details={details} label={t('devices.details.refresh')} />
      <NetworkMap key={device.id} of="devices" id={device.id} />
    </div>
  );
}
