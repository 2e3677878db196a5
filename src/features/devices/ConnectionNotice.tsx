import { useCustom } from '@refinedev/core';
import { useId, useState, useSyncExternalStore } from 'react';
import type { Device } from '../../../schemas/_generated/contract.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, hasText, useT, type Translate } from '../../kernel/i18n/index.ts';
import { ageClock, formatDuration } from '../../kernel/time/relative.ts';
import { Banner, Button, ExactTime } from '../../ui/index.ts';
import { AwaitedNotice } from './AwaitedNotice.tsx';
import { TableCard } from './DetailsParts.tsx';
import { explainConnection, type Evidence, type Explanation, type Reason } from './explain-connection.ts';
import { EventText } from './EventText.tsx';
import { QuarantineNotice } from './QuarantineNotice.tsx';
import styles from './details.module.css';

function useEvidence(device: Device): Evidence | undefined {
  const { query } = useCustom<Evidence, ApiError>({
    url: `/devices/${device.id}/evidence`,
    method: 'get',
    // Read again when the device comes or goes.
    meta: { status: device.status, code: device.failed_auth_reason },
    queryOptions: { enabled: !device.quarantine },
    errorNotification: false,
  });
  return query.data?.data;
}

/** What a reason says; names of jobs and of readings in words. */
function words(t: Translate, { key, params = {} }: Reason): string {
  const kind = `values.job.kind.${params['kind']}`;
  const name = `fields.${params['name']}`;
  return t(key, { ...params, kind: hasText(kind) ? t(kind) : '', name: hasText(name) ? t(name) : '' });
}

function titleOf(t: Translate, { kind, lasts, reasons }: Explanation, disconnects: number): string {
  if (kind === 'not_activated') return t('devices.not_activated');
  const what =
    kind === 'unstable'
      ? t('devices.why.unstable', { count: disconnects })
      : lasts === undefined
        ? t('devices.status.offline')
        : t('devices.why.offline', { time: formatDuration(lasts) });
  const [first] = reasons;
  return first ? `${what}: ${words(t, first)}` : what;
}

function nextOf({ kind, reasons }: Explanation): string {
  const known = reasons.map(({ key }) => `${key}.next`).find(hasText);
  if (known) return known;
  return kind === 'not_activated'
    ? 'devices.not_activated.next'
    : kind === 'unstable'
      ? 'devices.why.unstable.next'
      : 'devices.offline.next';
}

function valueWords(t: Translate, metric: string, value: number): string {
  if (metric === 'temperature') return t('devices.celsius', { value: formatNumber(value / 10) });
  return metric === 'signal' || metric === 'rsrp' ? t('devices.dbm', { value }) : formatNumber(value);
}

/** The last events and readings, so that the reader can judge for themselves. */
function EvidenceTables({ evidence }: { evidence: Evidence }) {
  const t = useT();
  const nameOf = (metric: string): string => {
    const key = [`devices.metric.${metric}`, `fields.${metric}`].find(hasText);
    return key === undefined ? metric : t(key);
  };
  return (
    <>
      <TableCard
        title={t('devices.why.events')}
        rows={evidence.events}
        keyOf={({ id }) => String(id)}
        columns={[
          { key: 'at', title: t('devices.io.when'), render: ({ created_at: time }) => <ExactTime time={time} /> },
          { key: 'what', title: t('devices.states.what'), className: styles.wraps, render: (event) => <EventText event={event} /> },
        ]}
      />
      <TableCard
        title={t('devices.why.readings')}
        rows={evidence.readings}
        keyOf={({ metric, created_at }) => `${metric} ${created_at}`}
        columns={[
          { key: 'at', title: t('devices.io.when'), render: ({ created_at: time }) => <ExactTime time={time} /> },
          { key: 'what', title: t('devices.states.what'), render: ({ metric }) => nameOf(metric) },
          {
            key: 'value',
            title: t('devices.states.value'),
            render: ({ metric, value }) => valueWords(t, metric, value),
          },
        ]}
      />
    </>
  );
}

/** Why the device is not online as it should be and for how long, in words, what to do next, and what that is judged by. Nothing while all is well. */
export function ConnectionNotice({ device }: { device: Device }) {
  const t = useT();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const evidence = useEvidence(device);
  const now = useSyncExternalStore(ageClock.subscribe, ageClock.get, ageClock.get);
  if (device.quarantine) return <QuarantineNotice device={device} />;
  const explanation = explainConnection(device, evidence, now);
  if (!explanation) return null;
  const rest = explanation.reasons.slice(1);
  const hasEvidence = evidence !== undefined && evidence.events.length + evidence.readings.length > 0;
  const banner = (
    <>
      <Banner
        kind={explanation.kind === 'offline' ? 'bad' : explanation.kind === 'unstable' ? 'warn' : 'info'}
        title={titleOf(t, explanation, evidence?.disconnects ?? 0)}
        actions={
          hasEvidence ? (
            <Button size="small" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
              {t(isOpen ? 'devices.why.hide' : 'devices.why.show')}
            </Button>
          ) : null
        }
      >
        {rest.length > 0 ? (
          <ul className={styles.reasons}>
            {rest.map((reason) => (
              <li key={`${reason.key} ${JSON.stringify(reason.params ?? {})}`}>{words(t, reason)}</li>
            ))}
          </ul>
        ) : null}
        {t(nextOf(explanation))}
      </Banner>
      {hasEvidence && isOpen ? (
        <div id={id} className={styles.column}>
          <EvidenceTables evidence={evidence} />
        </div>
      ) : null}
    </>
  );
  return explanation.kind === 'not_activated' ? <AwaitedNotice deviceId={device.id} otherwise={banner} /> : banner;
}
