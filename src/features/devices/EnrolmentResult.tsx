import { useList, useOne } from '@refinedev/core';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Device, EnrolmentCode } from '../../../schemas/_generated/contract.ts';
import { useGuideMode } from '../../engine/dialogs/index.ts';
import type { ResultViewProps } from '../../engine/form/index.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { translate, useT } from '../../kernel/i18n/index.ts';
import { live } from '../../kernel/socket/index.ts';
import { MINUTE, SECOND } from '../../kernel/time/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Banner, Button, IconButton, QrCode, Segmented, Spinner, StatusMark } from '../../ui/index.ts';
import { statusKinds, statusName } from './status.ts';
import styles from './devices.module.css';

type Joined = Pick<Device, 'id' | 'name' | 'status' | 'quarantine'>;
const HELP_AFTER_MS = 2 * MINUTE;
const POLL_MS = 5 * SECOND;

/** The devices that joined by this code: loaded again on each event of the company's devices, and every few seconds in case the socket is down. */
function useJoined(codeId: number, companyId: number): Joined[] {
  const { query } = useOne<{ devices: Joined[] }, ApiError>({
    resource: 'devices/enrolment-codes',
    id: codeId,
    meta: { survivesRouteChange: true },
    queryOptions: { refetchInterval: POLL_MS },
    errorNotification: false,
  });
  const { refetch } = query;
  useEffect(() => live.follow(`companies.${companyId}.devices`, { onEvent: () => void refetch() }), [companyId, refetch]);
  return query.data?.data.devices ?? [];
}

/** Whether the fleet may have had no device when this was first asked: yes until it is known. */
function useIsFirst(): boolean {
  const { query } = useList<Joined, ApiError>({
    resource: 'devices',
    pagination: { currentPage: 1, pageSize: 1 },
    meta: { survivesRouteChange: true },
    queryOptions: { staleTime: Infinity, gcTime: 0 },
    errorNotification: false,
  });
  return !query.isError && (query.data === undefined || query.data.total === 0);
}

async function copyText(text: string, shown: HTMLElement | null): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.success(translate('devices.enrolment.copied'));
  } catch {
    // Refused (no https, no permission): selected, so that the keyboard can copy it.
    if (shown) getSelection()?.selectAllChildren(shown);
  }
}

/** What brings the programs that the agent needs, by system: agent/README.md. */
const INSTALL = {
  openwrt: 'opkg update && opkg install mosquitto-client-ssl curl',
  debian: 'apt update && apt install -y mosquitto-clients curl',
} as const;
type System = keyof typeof INSTALL;

/** What is installed on the device first, for the system that it has. */
function Needs() {
  const t = useT();
  const [system, setSystem] = useState<System>('openwrt');
  const line = useRef<HTMLElement>(null);
  return (
    <>
      <div className={styles.needs}>
        <span>{t('devices.enrolment.needs')}</span>
        <Segmented<System>
          label={t('devices.enrolment.system')}
          value={system}
          options={[
            { value: 'openwrt', label: 'OpenWrt · RutOS' },
            { value: 'debian', label: 'Debian · Ubuntu' },
          ]}
          onChange={setSystem}
        />
      </div>
      <div className={styles.command}>
        <samp ref={line}>{INSTALL[system]}</samp>
        <IconButton icon="copy" label={t('devices.enrolment.copyNeeds')} onClick={() => void copyText(INSTALL[system], line.current)} />
      </div>
    </>
  );
}

/** After a code was made: the line to run on the device, as text and QR code, and a live wait until it is there. */
export default function EnrolmentResult({ result, close }: ResultViewProps) {
  const t = useT();
  // The answer of this form's route: schemas/entities/enrolment-code.json.
  const code = result.data as unknown as EnrolmentCode;
  const joined = useJoined(code.id, code.company_id);
  // The line is shown once: a user who waits for the first device must not lose it by a key.
  useGuideMode(useIsFirst() && joined.length === 0);
  const [isLate, setLate] = useState(false);
  const hasOnline = joined.some((device) => device.status === 1);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), HELP_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const command = code.command ?? '';
  const line = useRef<HTMLElement>(null);
  return (
    <div className={styles.enrolment}>
      <div className={styles.enrolmentSteps}>
        {isLoopback(command) ? (
          <Banner kind="warn" title={t('devices.enrolment.loopback.title')}>
            {t('devices.enrolment.loopback.text')}
          </Banner>
        ) : null}
        <Needs />
        <p>{t('devices.enrolment.run')}</p>
        <div className={styles.command}>
          <code ref={line}>{command}</code>
          <IconButton icon="copy" label={t('devices.enrolment.copy')} onClick={() => void copyText(command, line.current)} />
        </div>
        <p className={styles.muted}>
          {t('devices.enrolment.once')} {t('devices.enrolment.uses', { count: code.uses })}
        </p>
        <p>
          {t('devices.enrolment.code')} <strong className={styles.codeText}>{code.code}</strong>
        </p>
      </div>
      <QrCode text={command} label={t('devices.enrolment.qr')} className={styles.qr} />
      <div className={styles.waiting} role="status">
        {joined.length === 0 ? (
          <>
            <Spinner label="" />
            <span>{t('devices.enrolment.waiting')}</span>
          </>
        ) : (
          <ul className={styles.joined}>
            {joined.map((device) => (
              <JoinedDevice key={device.id} device={device} onOpen={close} />
            ))}
          </ul>
        )}
      </div>
      {isLate && !hasOnline ? <WaitingHelp /> : null}
      <div className={styles.enrolmentEnd}>
        <Button variant={hasOnline ? 'primary' : 'default'} onClick={close}>
          {t('devices.enrolment.done')}
        </Button>
      </div>
    </div>
  );
}

/** Whether the line leads back to the machine that it is run on: no other one reaches this server by it. */
function isLoopback(command: string): boolean {
  return /https?:\/\/(?:127\.|localhost[:/]|\[::1\])/.test(command);
}

function JoinedDevice({ device, onOpen }: { device: Joined; onOpen(): void }) {
  const t = useT();
  const name = statusName(device.status);
  return (
    <li>
      <StatusMark kind={statusKinds[name]}>{t(`devices.status.${name}`)}</StatusMark>
      <Link to={`/devices/${device.id}`} onClick={onOpen}>
        {device.name}
      </Link>
      {device.quarantine ? <span className={styles.muted}>{t(`devices.quarantine.${device.quarantine}`)}</span> : null}
    </li>
  );
}

function WaitingHelp() {
  const t = useT();
  return (
    <Banner kind="info" title={t('devices.enrolment.help.title')}>
      <ul className={styles.helpList}>
        {['reach', 'broker', 'tools', 'clock', 'code'].map((key) => (
          <li key={key}>{t(`devices.enrolment.help.${key}`)}</li>
        ))}
      </ul>
    </Banner>
  );
}
