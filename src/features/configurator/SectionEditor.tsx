import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import type { ConfigSection } from '../../../schemas/kit/devices/configuration.ts';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import { openJobOf } from '../../engine/form/after-submit.ts';
import { FormView } from '../../engine/form/FormView.tsx';
import { useFormController } from '../../engine/form/use-form-controller.ts';
import { failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { useT, useText } from '../../kernel/i18n/index.ts';
import { SECOND } from '../../kernel/time/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Banner, Button, Card, Select, Skeleton } from '../../ui/index.ts';
import { AddToChangeSet } from './AddToChangeSet.tsx';
import { AskSectionName } from './AskSectionName.tsx';
import styles from './configurator.module.css';
import { DeviceChangesTable, type DeviceChanges } from './DeviceChangesTable.tsx';
import { OwnValuesGrid } from './OwnValuesGrid.tsx';
import { sectionForm } from './section-form.ts';
import type { OwnValues } from './unique-values.ts';
import {
  callsOf,
  devicesWith,
  devicesWithout,
  mergeValues,
  newSectionCalls,
  type ConfigureCall,
  type ConfiguredDevice,
  type Values,
} from './values.ts';

interface SectionProps {
  section: ConfigSection;
  item: string;
  /** It is added to devices that do not have it. */
  isNew?: boolean;
  /** What a new one starts with. */
  start?: Values | undefined;
  devices: ConfiguredDevice[];
  /** A new one is to start with these values. */
  onCopy: (name: string, values: Values) => void;
  onStarted: (channel: string | undefined) => void;
}

const CONFIGURE = '/devices/configurator/configure';

/** One section of the settings: a form for all devices at once, and a grid for values of single ones. */
export function SectionEditor(props: SectionProps) {
  const t = useT();
  const { section, item, devices, isNew = false, start } = props;
  const rows = isNew ? devicesWithout(devices, section, item) : devicesWith(devices, section, item);
  const merged = mergeValues(
    rows.map(({ values }) => values),
    Object.keys(section.schema.properties),
  );
  const { data: module } = useQuery({
    queryKey: ['configurator', section.id, item, isNew],
    gcTime: 0,
    staleTime: Infinity,
    queryFn: () => {
      const mixed = Object.entries(merged.mixed).map(([key, values]) => [
        key,
        { en: t('configurator.mixed', { values: values.join(' · ') }) },
      ]);
      const secret = (isNew ? [] : section.secrets).map((key) => [key, { en: t('configurator.secret') }]);
      return sectionForm(section, Object.fromEntries([...mixed, ...secret]));
    },
  });
  if (rows.length === 0) return <Banner kind="info">{t('configurator.add.taken', { name: item })}</Banner>;
  return module ? (
    <Editor {...props} module={module} rows={rows} common={isNew ? (start ?? {}) : merged.common} />
  ) : (
    <Skeleton height={260} />
  );
}

type Row = ReturnType<typeof devicesWith>[number];

function Editor({
  section,
  item,
  isNew = false,
  module,
  rows,
  common,
  onStarted,
  onCopy,
}: SectionProps & { module: FormModule; rows: Row[]; common: Values }) {
  const t = useT();
  const text = useText();
  const [own, setOwn] = useState<OwnValues>({});
  const [preview, setPreview] = useState<{ calls: ConfigureCall[]; devices: DeviceChanges[]; asks_review?: boolean }>();
  const ids = rows.map(({ device }) => device.id);
  const controller = useFormController({
    module,
    start: common,
    target: { id: undefined, devices: undefined },
    onSuccess: () => undefined,
    preview: { can: () => true },
    async send(data) {
      const calls = isNew ? newSectionCalls(section, item, { ids, data, own }) : callsOf(section, item, { ids, common, data, own });
      if (calls.length === 0) toasts.warning(t('configurator.unchanged'));
      else await look(calls);
      return { data: null, meta: {} };
    },
  });
  async function look(calls: ConfigureCall[]): Promise<void> {
    const answer = await dataProvider.custom<{ devices: DeviceChanges[]; asks_review?: boolean }>({
      url: CONFIGURE,
      method: 'post',
      payload: { configuration: calls, dry_run: true },
    });
    setPreview({ calls, ...answer.data });
  }
  const remove = async (): Promise<void> => {
    try {
      await look([{ device_id: ids, path: `/${section.id}/config/${item}`, method: 'delete' }]);
    } catch (failure) {
      if (!isCancelled(failure)) toasts.error(failureMessage(failure, { fallback: t('configurator.apply_failed') }));
    }
  };
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
      if (!isCancelled(failure)) toasts.error(failureMessage(failure, { fallback: t('configurator.apply_failed') }));
    }
  };
  // On a phone it is below the list of sections.
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers answer a promise, which is no clean-up of an effect.
    void page.current?.scrollIntoView({ block: window.matchMedia('(width <= 800px)').matches ? 'start' : 'nearest' });
  }, []);
  return (
    <div className={styles.page} ref={page}>
      <Card title={`${text(section.title)}: ${item}`}>
        <FormView controller={controller} intro={t(isNew ? 'configurator.add.for_all' : 'configurator.for_all', { count: rows.length })} />
        {isNew || section.name !== undefined ? null : (
          <div className={styles.row}>
            <AskSectionName
              icon="copy"
              label={t('configurator.copy')}
              fullLabel={t('configurator.copy.of', { name: item })}
              onName={(name) => onCopy(name, controller.model.data() as Values)}
            />
            <Button icon="trash-2" variant="danger" onClick={() => void remove()}>
              {t('configurator.remove', { count: rows.length })}
            </Button>
          </div>
        )}
      </Card>
      <Card title={t('configurator.side_by_side')}>
        <OwnValuesGrid section={section} rows={rows} own={own} onChange={setOwn} />
        <div className={styles.buttons}>
          <Button variant="primary" onClick={() => void controller.submit()}>
            {t('configurator.preview')}
          </Button>
        </div>
      </Card>
      {preview ? (
        <Preview {...preview} title={`${text(section.title)}: ${item}`} section={section} onApply={(pace) => void apply(pace)} />
      ) : null}
    </div>
  );
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

interface PreviewProps {
  title: string;
  calls: ConfigureCall[];
  devices: DeviceChanges[];
  /** A second person has to approve the change. */
  asks_review?: boolean;
  section: ConfigSection;
  onApply: (pace: Pace) => void;
}

/** What would change on each device, and how it is put on them. */
function Preview({ title, calls, devices, asks_review: asksReview = false, section, onApply }: PreviewProps) {
  const t = useT();
  const text = useText();
  if (devices.every(({ changes }) => changes.length === 0))
    return <Card title={t('configurator.what_changes')}>{t('configurator.unchanged')}</Card>;
  const count = devices.filter((device) => device.changes.length > 0).length;
  const isRemoval = calls.some(({ method }) => method === 'delete');
  return (
    <Card title={t('configurator.what_changes')}>
      <DeviceChangesTable
        devices={devices}
        label={t('configurator.what_changes')}
        nameOf={(option) => text(section.labels[option]) || option}
      />
      {isRemoval ? <Banner kind="warn">{t('configurator.remove.lost')}</Banner> : null}
      {asksReview ? (
        <Banner kind="info">{t(isRemoval ? 'configurator.remove.not_in_set' : 'configurator.set.review_needed')}</Banner>
      ) : (
        <ApplyNow count={count} onApply={onApply} />
      )}
      {isRemoval ? null : <AddToChangeSet calls={calls} name={title} isPrimary={asksReview} />}
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
