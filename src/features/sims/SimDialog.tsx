import { useCustom } from '@refinedev/core';
import type { ReactNode } from 'react';
import type { Sim } from '../../../schemas/_generated/contract.ts';
import { DialogWindow, type DialogComponent } from '../../engine/dialogs/index.ts';
import { openForm } from '../../engine/form/index.ts';
import { UsageForecast } from '../../engine/readings/UsageForecast.tsx';
import { formatBytes } from '../../engine/table/format.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Button, CellLink, Code, ErrorState, ExactTime, Skeleton, SmallTable, StackedChart, StatusMark } from '../../ui/index.ts';
import styles from './sims.module.css';

interface SimPlace {
  device_id: number | null;
  device_name: string;
  modem: number;
  slot: number;
  from_at: string;
  until_at: string | null;
}

interface SimDetails extends Sim {
  places: SimPlace[];
  days: { date: string; bytes: number }[];
}

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'sims.details': { props: { id: number; iccid: string; onChanged?: () => void }; result: undefined };
  }
}

const MARKS = { active: 'good', standby: 'info', removed: 'idle' } as const;

/** A SIM: what is known of it, its data by day, and the devices that have held it. */
const SimDialog: DialogComponent<'sims.details'> = ({ dialog, id, iccid, onChanged }) => {
  const t = useT();
  const can = useCan();
  const { query } = useCustom<SimDetails, ApiError>({ url: `/sims/${id}`, method: 'get', errorNotification: false });
  const { error, refetch } = query;
  const sim = query.data?.data;
  async function edit(): Promise<void> {
    if (!(await openForm('sims/edit', { record: { id }, window: { subtitle: iccid } }))) return;
    void refetch();
    onChanged?.();
  }
  return (
    <DialogWindow
      dialog={dialog}
      title={t('sims.title', { iccid })}
      footer={
        <>
          {can('update_devices') ? (
            <Button icon="pencil" onClick={() => void edit()}>
              {t('actions.sims.edit')}
            </Button>
          ) : null}
          <Button onClick={() => dialog.close()}>{t('common.close')}</Button>
        </>
      }
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!sim && !error ? <Skeleton height={260} /> : null}
      {sim ? (
        <div className={styles.body}>
          <Facts sim={sim} />
          <Days sim={sim} />
          <Places sim={sim} onLeave={() => dialog.close()} />
        </div>
      ) : null}
    </DialogWindow>
  );
};
export default SimDialog;

function Facts({ sim }: { sim: SimDetails }) {
  const t = useT();
  const limit = sim.limit_bytes === null ? t('sims.no_limit') : formatBytes(sim.limit_bytes);
  return (
    <dl className={styles.facts}>
      <Fact name={t('fields.state')}>
        <StatusMark kind={MARKS[sim.state]}>{t(`values.sim.state.${sim.state}`)}</StatusMark>
      </Fact>
      <Fact name={t('fields.company_name')}>{sim.company_name}</Fact>
      <Fact name={t('fields.imsi')}>{sim.imsi && <Code>{sim.imsi}</Code>}</Fact>
      <Fact name={t('fields.operator')}>{sim.operator}</Fact>
      <Fact name={t('fields.phone_number')}>{sim.phone_number}</Fact>
      <Fact name={t('sims.month', { date: sim.month_since.slice(0, 10) })}>{`${formatBytes(sim.used_bytes)} / ${limit}`}</Fact>
      <Fact name={t('fields.forecast_bytes')}>
        <UsageForecast bytes={sim.forecast_bytes} reachedOn={sim.reached_on} isOver={sim.limit_state === 'over'} />
      </Fact>
      <Fact name={t('fields.first_seen_at')}>
        <ExactTime time={sim.first_seen_at} />
      </Fact>
      <Fact name={t('fields.last_seen_at')}>
        <ExactTime time={sim.last_seen_at} />
      </Fact>
      <Fact name={t('fields.note')}>{sim.note}</Fact>
    </dl>
  );
}

/** Nothing where nothing is known. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Days({ sim }: { sim: SimDetails }) {
  const t = useT();
  if (sim.days.length === 0) return <p className={styles.muted}>{t('sims.no_data')}</p>;
  return (
    <section>
      <h3 className={styles.heading}>{t('sims.days')}</h3>
      <StackedChart
        label={t('sims.days')}
        fileName={`sim-${sim.iccid}`}
        columns={sim.days.map(({ date }) => date.slice(5))}
        layers={[{ label: t('sims.data'), color: 'accent', values: sim.days.map(({ bytes }) => bytes) }]}
        format={formatBytes}
        height={140}
      />
    </section>
  );
}

function Places({ sim, onLeave }: { sim: SimDetails; onLeave: () => void }) {
  const t = useT();
  return (
    <section>
      <h3 className={styles.heading}>{t('sims.places')}</h3>
      <SmallTable
        className={styles.table}
        hasRowNames
        label={t('sims.places')}
        rows={sim.places}
        keyOf={({ from_at, device_name }) => `${from_at} ${device_name}`}
        columns={[
          {
            key: 'device',
            title: t('fields.device_name'),
            render: ({ device_id: device, device_name: name }: SimPlace) =>
              device === null ? (
                name
              ) : (
                <span onClickCapture={onLeave}>
                  <CellLink to={`/devices/${device}`}>{name}</CellLink>
                </span>
              ),
          },
          {
            key: 'slot',
            title: t('fields.slot'),
            render: ({ modem, slot }: SimPlace) => (modem === 2 ? t('lists.sims.second_modem', { slot }) : String(slot)),
          },
          { key: 'from', title: t('sims.from'), render: ({ from_at: at }: SimPlace) => <ExactTime time={at} /> },
          {
            key: 'until',
            title: t('sims.until'),
            render: ({ until_at: at }: SimPlace) => (at === null ? t('sims.present') : <ExactTime time={at} />),
          },
        ]}
      />
    </section>
  );
}
