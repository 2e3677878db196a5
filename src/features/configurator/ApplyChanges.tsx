import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { dataProvider } from '../../engine/data/data-provider.ts';
import { openJobOf } from '../../engine/form/after-submit.ts';
import { failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { SECOND } from '../../kernel/time/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Banner, Button, Card, Select } from '../../ui/index.ts';
import { AddToChangeSet } from './AddToChangeSet.tsx';
import styles from './configurator.module.css';
import { DeviceChangesTable, type DeviceChanges } from './DeviceChangesTable.tsx';
import type { ConfigureCall } from './values.ts';

const CONFIGURE = '/devices/configurator/configure';

interface Changes {
  calls: ConfigureCall[];
  devices: DeviceChanges[];
  /** A second person has to approve the change. */
  asks_review?: boolean;
}

interface Pace {
  /** Devices at a time; 0 for all at once. */
  size: number;
  confirmSeconds: number;
}
const SIZES = [1, 10, 50, 100];
const CONFIRM_SECONDS = [60, 120, 300, 900, 3600];
const STOP_PERCENT = 10;

const paceOf = ({ size, confirmSeconds }: Pace) => ({
  confirm_seconds: confirmSeconds,
  ...(size === 0 ? {} : { waves: { size, stop_percent: STOP_PERCENT, on_stop: 'hold' } }),
});

/** Calls that are previewed first, and then sent: `showPreview` asks what would change and throws, `tryPreview` shows a failure instead, `apply` starts the job. */
export function useChanges(onStarted: (channel: string | undefined) => void) {
  const t = useT();
  const [preview, setPreview] = useState<Changes>();
  const show = (failure: unknown): void => {
    if (!isCancelled(failure)) toasts.error(failureMessage(failure, { fallback: t('configurator.apply_failed') }));
  };
  const showPreview = async (calls: ConfigureCall[]): Promise<void> => {
    const answer = await dataProvider.custom<Omit<Changes, 'calls'>>({
      url: CONFIGURE,
      method: 'post',
      payload: { configuration: calls, dry_run: true },
    });
    setPreview({ calls, ...answer.data });
  };
  const tryPreview = (calls: ConfigureCall[]): Promise<void> => showPreview(calls).catch(show);
  const apply = async (pace: Pace): Promise<void> => {
    if (!preview) return;
    try {
      const answer = await dataProvider.custom({
        url: CONFIGURE,
        method: 'post',
        payload: { configuration: preview.calls, ...paceOf(pace) },
      });
      setPreview(undefined);
      openJobOf({ data: null, meta: answer.meta });
      onStarted(answer.meta.channel);
    } catch (failure) {
      show(failure);
    }
  };
  const dropPreview = useCallback((): void => setPreview(undefined), []);
  return { preview, showPreview, tryPreview, apply, dropPreview };
}

interface PreviewProps extends Changes {
  title: string;
  nameOf(option: string): string;
  onApply: (pace: Pace) => void;
  /** The change is in a change set. */
  onAdded?: () => void;
}

/** What would change on each device, and how it is put on them. */
export function Preview(props: PreviewProps) {
  // It is below the button that asked for it, often out of sight.
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => void place.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div ref={place} className={styles.preview}>
      <PreviewCard {...props} />
    </div>
  );
}

function PreviewCard({ title, calls, devices, asks_review: asksReview = false, nameOf, onApply, onAdded }: PreviewProps) {
  const t = useT();
  if (devices.every(({ changes }) => changes.length === 0))
    return <Card title={t('configurator.what_changes')}>{t('configurator.unchanged')}</Card>;
  const count = devices.filter((device) => device.changes.length > 0).length;
  const isRemoval = calls.some(({ method }) => method === 'delete');
  return (
    <Card title={t('configurator.what_changes')}>
      <DeviceChangesTable devices={devices} label={t('configurator.what_changes')} nameOf={nameOf} />
      {isRemoval ? <Banner kind="warn">{t('configurator.remove.lost')}</Banner> : null}
      {asksReview ? (
        <Banner kind="info">{t(isRemoval ? 'configurator.remove.not_in_set' : 'configurator.set.review_needed')}</Banner>
      ) : (
        <ApplyNow count={count} onApply={onApply} />
      )}
      {isRemoval ? null : <AddToChangeSet calls={calls} name={title} isPrimary={asksReview} onAdded={onAdded} />}
    </Card>
  );
}

function ApplyNow({ count, onApply }: { count: number; onApply: PreviewProps['onApply'] }) {
  const t = useT();
  const id = useId();
  const [pace, setPace] = useState<Pace>({ size: 0, confirmSeconds: 120 });
  return (
    <>
      <p className={styles.lead}>{t('configurator.way_back')}</p>
      <div className={styles.row}>
        {count > 1 ? (
          <div className={styles.field}>
            <label htmlFor={`${id}-pace`}>{t('jobs.waves.pace')}</label>
            <Select
              id={`${id}-pace`}
              value={pace.size}
              choices={[
                { value: 0, label: t('jobs.waves.all') },
                ...SIZES.filter((size) => size < count).map((size) => ({ value: size, label: t('jobs.waves.size', { count: size }) })),
              ]}
              onChange={(size) => setPace({ ...pace, size })}
            />
          </div>
        ) : null}
        <div className={styles.field}>
          <label htmlFor={`${id}-confirm`}>{t('configurator.confirm_within')}</label>
          <Select
            id={`${id}-confirm`}
            value={pace.confirmSeconds}
            choices={CONFIRM_SECONDS.map((seconds) => ({ value: seconds, label: formatDuration(seconds * SECOND) }))}
            onChange={(confirmSeconds) => setPace({ ...pace, confirmSeconds })}
          />
        </div>
      </div>
      {pace.size > 0 ? <p className={styles.muted}>{t('configurator.waves_stop', { percent: STOP_PERCENT })}</p> : null}
      <div className={styles.buttons}>
        <Button variant="primary" onClick={() => onApply(pace)}>
          {t('configurator.apply', { count })}
        </Button>
      </div>
    </>
  );
}
