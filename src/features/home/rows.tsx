import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Job } from '../../../schemas/_generated/contract.ts';
import { getResource } from '../../engine/resources/all.ts';
import { findCell } from '../../engine/resources/registry.ts';
import { formatBytes } from '../../engine/table/format.ts';
import { formatNumber, hasText, useT } from '../../kernel/i18n/index.ts';
import { RelativeTime, StatusMark, type StatusKind } from '../../ui/index.ts';
import type { FlappingDevice, OfflineDevice, OpenAlert, QuarantinedDevice, RunningOut } from './home-data.ts';
import styles from './home.module.css';

interface LineProps {
  title: ReactNode;
  /** Quiet words below it. */
  note: ReactNode;
  end: ReactNode;
}

function Line({ title, note, end }: LineProps) {
  return (
    <li className={styles.row}>
      <span className={styles.names}>
        {title}
        <span className={styles.note}>{note}</span>
      </span>
      <span className={styles.end}>{end}</span>
    </li>
  );
}

function DeviceLink({ id, name }: { id: number; name: string }) {
  return (
    <Link to={`/devices/${id}`} className={styles.name}>
      {name}
    </Link>
  );
}

const words = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(' · ');

// docs/behaviour.md section 4: 7 duplicate serial number with another MAC, 14 monitoring disabled, 15 no active credit.
const OWN_WORDS = new Set([7, 14, 15]);

/** Why a device went, in the words of its page: the likeliest reason alone. */
function useWhy({ code, last_kind, ended }: OfflineDevice): string | undefined {
  const t = useT();
  if (code !== null) return OWN_WORDS.has(code) ? t(`devices.attempt.${code}`) : t('devices.attempt.tried', { code });
  const kind = last_kind === null ? undefined : `values.job.kind.${last_kind}`;
  if (kind !== undefined && hasText(kind)) return t('devices.why.job', { kind: t(kind) });
  return ended === null ? undefined : t(`devices.why.${ended}`);
}

const SEVERITIES: Readonly<Record<OpenAlert['severity'], StatusKind>> = { info: 'info', warning: 'warn', critical: 'bad' };

/** What is wrong with a device, and since when. */
export function AlertLine({ row }: { row: OpenAlert }) {
  const t = useT();
  return (
    <Line
      title={
        <Link to={`/devices/${row.device_id}/alerts`} className={styles.name}>
          {row.name}
        </Link>
      }
      note={words(row.device_name, row.company_name)}
      end={
        <StatusMark kind={SEVERITIES[row.severity]}>
          {t(`values.alert.severity.${row.severity}`)} · <RelativeTime time={row.raised_at} />
        </StatusMark>
      }
    />
  );
}

/** A device that is offline: since when, and why. */
export function OfflineRow({ row }: { row: OfflineDevice }) {
  const why = useWhy(row);
  return (
    <Line
      title={<DeviceLink {...row} />}
      note={words(row.company_name, why)}
      end={
        <StatusMark kind="bad">
          <RelativeTime time={row.since} />
        </StatusMark>
      }
    />
  );
}

/** A device that comes and goes. */
export function FlappingRow({ row }: { row: FlappingDevice }) {
  const t = useT();
  return (
    <Line
      title={<DeviceLink {...row} />}
      note={words(row.company_name, row.model)}
      end={<StatusMark kind="warn">{t('home.disconnects', { count: row.disconnects })}</StatusMark>}
    />
  );
}

/** A device that waits for a decision. */
export function QuarantineRow({ row }: { row: QuarantinedDevice }) {
  const t = useT();
  return (
    <Line
      title={<DeviceLink {...row} />}
      note={words(row.company_name, row.serial)}
      end={<StatusMark kind="warn">{t(`values.device.quarantine.${row.quarantine}`)}</StatusMark>}
    />
  );
}

/** A job: what it is, where, by whom; its state, or since when it waits. */
export function JobRow({ row, isHeld = false }: { row: Job; isHeld?: boolean }) {
  const t = useT();
  const link = (content: ReactNode) => (
    <Link to={`/jobs/${row.id}`} className={styles.name}>
      {content}
    </Link>
  );
  const resource = getResource('jobs');
  const cell = (key: string) => {
    const column = resource.table?.columns.find((entry) => entry.key === key);
    const Cell = findCell(column?.cell);
    return Cell && column ? <Cell value={undefined} row={{ ...row }} resource={resource} column={column} link={link} /> : null;
  };
  return (
    <Line
      title={cell('kind')}
      note={
        <>
          {words(t('home.devices', { count: row.total }), row.company_name, row.user_name)}
          {' · '}
          <RelativeTime time={row.finished_at ?? row.created_at} saysAgo />
        </>
      }
      end={isHeld ? <StatusMark kind="warn">{t(row.paused_at === null ? 'home.to_approve' : 'home.paused')}</StatusMark> : cell('state')}
    />
  );
}

const FULL = 1;

/** Credits, a device's credit, or its data, with what is left of it. */
export function RunningOutRow({ row }: { row: RunningOut }) {
  const t = useT();
  const until = (at: string | null) => <RelativeTime time={at} />;
  const mark = (kind: StatusKind, text: ReactNode) => <StatusMark kind={kind}>{text}</StatusMark>;
  if (row.kind === 'data' || row.kind === 'sim') {
    const share = row.used_bytes / row.limit_bytes;
    const note = t('home.data', { used: formatBytes(row.used_bytes), limit: formatBytes(row.limit_bytes) });
    const percent = t('dialogs.percent', { percent: formatNumber(Math.floor(share * 100)) });
    const name =
      row.kind === 'data' ? (
        <DeviceLink {...row} />
      ) : (
        <Link className={styles.name} to={`/management/sims?q=${row.name}`}>
          {t('home.sim', { iccid: row.name })}
        </Link>
      );
    return <Line title={name} note={words(row.company_name, note)} end={mark(share >= FULL ? 'bad' : 'warn', percent)} />;
  }
  if (row.kind === 'device_credit')
    return (
      <Line title={<DeviceLink {...row} />} note={words(row.company_name, t('home.device_credit'))} end={mark('warn', until(row.at))} />
    );
  const title = <span className={styles.name}>{row.company_name}</span>;
  const left = t('home.left', { count: row.left });
  return row.kind === 'credits' ? (
    <Line title={title} note={t(`credit_types.${row.credit_kind}`)} end={mark(row.left === 0 ? 'bad' : 'warn', left)} />
  ) : (
    <Line title={title} note={words(t(`credit_types.${row.credit_kind}`), left, t('home.expire'))} end={mark('warn', until(row.at))} />
  );
}
