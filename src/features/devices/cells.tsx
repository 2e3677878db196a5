import type { CellProps } from '../../engine/resources/registry.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { brandedModel, useTheme } from '../../kernel/theme/index.ts';
import { StatusMark } from '../../ui/index.ts';
import { imageUrl } from './dashboards/image-url.ts';
import { ModelPicture } from './ModelPicture.tsx';
import { SignalBars } from './SignalBars.tsx';
import { shortFirmware, statusKinds, statusName } from './status.ts';
import styles from './devices.module.css';

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function DeviceStatusCell({ value }: CellProps) {
  const t = useT();
  const name = statusName(value);
  return <StatusMark kind={statusKinds[name]}>{t(`devices.status.${name}`)}</StatusMark>;
}

/** The name, and below it what it is: model and serial number. */
export function DeviceNameCell({ row, link }: CellProps) {
  const t = useT();
  const model = brandedModel(text(row['model']), useTheme());
  return (
    <span className={styles.name}>
      {link(<span className={styles.nameText}>{text(row['name'])}</span>)}
      <span className={styles.nameDetail}>
        <span>{[model, text(row['serial'])].filter(Boolean).join(' · ')}</span>
        {row['is_simulated'] === true ? <span className={styles.simulated}>{t('devices.simulated')}</span> : null}
      </span>
    </span>
  );
}

export function DeviceModelCell({ value }: CellProps) {
  const theme = useTheme();
  const model = text(value);
  if (!model) return <span className={styles.muted}>—</span>;
  return (
    <span className={styles.modelCell}>
      <span aria-hidden="true">
        <ModelPicture model={model} size={36} />
      </span>
      {brandedModel(model, theme)}
    </span>
  );
}

/** The two nearest companies of the path: `Fjordline › Vest`; where room is short, and on a phone, the upper one is only read aloud. */
export function CompanyPathCell({ row }: CellProps) {
  const path = Array.isArray(row['company_path']) ? row['company_path'].map(String) : [text(row['company_name'])];
  return (
    <span className={styles.path} title={path.join(' › ')}>
      {path.length > 1 ? (
        <span className={styles.above}>
          {path.at(-2)}
          {' › '}
        </span>
      ) : null}
      <span>{path.at(-1)}</span>
    </span>
  );
}

export function FirmwareCell({ value }: CellProps) {
  const firmware = text(value);
  return firmware ? <span title={firmware}>{shortFirmware(firmware)}</span> : <span className={styles.muted}>—</span>;
}

/** How the device reaches the network: bars and generation on mobile, one word otherwise. */
export function NetworkCell({ row }: CellProps) {
  const t = useT();
  const connection = text(row['connection_type']);
  const wan = text(row['wan_state']).toLowerCase();
  if (!connection && (wan === 'wired' || wan === 'wifi')) return <span className={styles.muted}>{t(`devices.wan.${wan}`)}</span>;
  if (!connection) return <span className={styles.muted}>—</span>;
  const signal = typeof row['signal'] === 'number' ? row['signal'] : null;
  return (
    <span className={styles.network}>
      <SignalBars dbm={row['status'] === 1 ? signal : null} />
      <span className={styles.muted}>{connection}</span>
    </span>
  );
}

export function SignalCell({ value }: CellProps) {
  const t = useT();
  return typeof value === 'number' ? <>{t('devices.dbm', { value })}</> : <span className={styles.muted}>—</span>;
}

export function TemperatureCell({ value }: CellProps) {
  const t = useT();
  return typeof value === 'number' ? (
    <>{t('devices.celsius', { value: formatNumber(value / 10) })}</>
  ) : (
    <span className={styles.muted}>—</span>
  );
}

/** An image of dashboards in small, with its name. */
export function DashboardImageCell({ row, link }: CellProps) {
  return (
    <span className={styles.modelCell}>
      <img className={styles.thumbnail} src={imageUrl(Number(row['id']), '/thumbnail')} alt="" loading="lazy" />
      {link(text(row['name']))}
    </span>
  );
}
