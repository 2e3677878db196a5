import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConfigSection } from '../../../schemas/kit/devices/configuration.ts';
import { typedValue } from '../../../schemas/kit/devices/configuration-template.ts';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import { openJobOf } from '../../engine/form/after-submit.ts';
import { FormView } from '../../engine/form/FormView.tsx';
import { useFormController } from '../../engine/form/use-form-controller.ts';
import { failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { useT, useText } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button, Card, Skeleton, SmallTable, TextInput } from '../../ui/index.ts';
import styles from './configurator.module.css';
import { sectionForm } from './section-form.ts';
import { callsOf, devicesWith, mergeValues, plain, type ConfigureCall, type ConfiguredDevice } from './values.ts';

interface Difference {
  section: string;
  item: string;
  option: string;
  before: string | string[] | null;
  after: string | string[] | null;
}
interface DeviceChanges {
  id: number;
  name: string;
  changes: Difference[];
}

interface SectionProps {
  section: ConfigSection;
  item: string;
  devices: ConfiguredDevice[];
  onStarted: (channel: string | undefined) => void;
}

const CONFIGURE = '/devices/configurator/configure';

/** One section of the settings: a form for all devices at once, and a grid for values of single ones. */
export function SectionEditor(props: SectionProps) {
  const t = useT();
  const { section, item, devices } = props;
  const rows = devicesWith(devices, section, item);
  const merged = mergeValues(
    rows.map(({ values }) => values),
    Object.keys(section.schema.properties),
  );
  const { data: module } = useQuery({
    queryKey: ['configurator', section.id, item],
    gcTime: 0,
    staleTime: Infinity,
    queryFn: () => {
      const mixed = Object.entries(merged.mixed).map(([key, values]) => [
        key,
        { en: t('configurator.mixed', { values: values.join(' · ') }) },
      ]);
      const secret = section.secrets.map((key) => [key, { en: t('configurator.secret') }]);
      return sectionForm(section, Object.fromEntries([...mixed, ...secret]));
    },
  });
  return module ? <Editor {...props} module={module} rows={rows} common={merged.common} /> : <Skeleton height={260} />;
}

type Row = ReturnType<typeof devicesWith>[number];

function Editor({
  section,
  item,
  module,
  rows,
  common,
  onStarted,
}: SectionProps & { module: FormModule; rows: Row[]; common: Record<string, JsonValue> }) {
  const t = useT();
  const text = useText();
  const [own, setOwn] = useState<Record<number, Record<string, JsonValue>>>({});
  const [preview, setPreview] = useState<{ calls: ConfigureCall[]; devices: DeviceChanges[] }>();
  const ids = rows.map(({ device }) => device.id);
  const controller = useFormController({
    module,
    start: common,
    target: { id: undefined, devices: undefined },
    onSuccess: () => undefined,
    preview: { can: () => true },
    async send(data) {
      const calls = callsOf(section, item, { ids, common, data, own });
      if (calls.length === 0) {
        toasts.warning(t('configurator.unchanged'));
        return { data: null, meta: {} };
      }
      const answer = await dataProvider.custom<{ devices: DeviceChanges[] }>({
        url: CONFIGURE,
        method: 'post',
        payload: { configuration: calls, dry_run: true },
      });
      setPreview({ calls, devices: answer.data.devices });
      return { data: null, meta: {} };
    },
  });
  const apply = async (): Promise<void> => {
    if (!preview) return;
    try {
      const answer = await dataProvider.custom({ url: CONFIGURE, method: 'post', payload: { configuration: preview.calls } });
      setPreview(undefined);
      openJobOf({ data: null, meta: answer.meta });
      onStarted(answer.meta.channel);
    } catch (failure) {
      if (!isCancelled(failure)) toasts.error(failureMessage(failure, { fallback: t('configurator.apply_failed') }));
    }
  };
  return (
    <div className={styles.page}>
      <Card title={`${text(section.title)}: ${item}`}>
        <FormView controller={controller} intro={t('configurator.for_all', { count: rows.length })} />
      </Card>
      <Card title={t('configurator.side_by_side')}>
        <OwnValues section={section} rows={rows} own={own} onChange={setOwn} />
        <div className={styles.buttons}>
          <Button variant="primary" onClick={() => void controller.submit()}>
            {t('configurator.preview')}
          </Button>
        </div>
      </Card>
      {preview ? <Preview devices={preview.devices} section={section} onApply={() => void apply()} /> : null}
    </div>
  );
}

interface OwnValuesProps {
  section: ConfigSection;
  rows: Row[];
  own: Record<number, Record<string, JsonValue>>;
  onChange: (own: Record<number, Record<string, JsonValue>>) => void;
}

/** A row per device, a column per option; what is typed is for this device alone. */
function OwnValues({ section, rows, own, onChange }: OwnValuesProps) {
  const t = useT();
  const text = useText();
  const options = Object.keys(section.schema.properties).filter((key) => !section.secrets.includes(key));
  const cellOf = (option: string, { device, values }: Row) => (
    <TextInput
      aria-label={`${device.name} ${text(section.labels[option]) || option}`}
      defaultValue={values[option] === undefined ? '' : plain(values[option])}
      onChange={({ currentTarget }) =>
        onChange({ ...own, [device.id]: { ...own[device.id], [option]: typedValue(section, option, currentTarget.value) } })
      }
    />
  );
  return (
    <div className={styles.scroll}>
      <SmallTable
        label={t('configurator.side_by_side')}
        rows={rows}
        keyOf={({ device }) => device.id}
        hasRowNames
        columns={[
          { key: ' name', title: t('fields.name'), render: ({ device }) => device.name },
          ...options.map((option) => ({
            key: option,
            title: text(section.labels[option]) || option,
            render: (row: Row) => cellOf(option, row),
          })),
        ]}
      />
    </div>
  );
}

function Preview({ devices, section, onApply }: { devices: DeviceChanges[]; section: ConfigSection; onApply: () => void }) {
  const t = useT();
  const text = useText();
  const changes = devices.flatMap(({ id, name, changes: own }) => own.map((change) => ({ ...change, id, name })));
  if (changes.length === 0) return <Card title={t('configurator.what_changes')}>{t('configurator.unchanged')}</Card>;
  const count = devices.filter((device) => device.changes.length > 0).length;
  return (
    <Card title={t('configurator.what_changes')}>
      <div className={styles.scroll}>
        <SmallTable
          label={t('configurator.what_changes')}
          rows={changes}
          keyOf={({ id, option }) => `${id} ${option}`}
          columns={[
            { key: 'name', title: t('fields.name'), render: ({ name }) => name },
            { key: 'option', title: t('configurator.option'), render: ({ option }) => text(section.labels[option]) || option },
            { key: 'before', title: t('configurator.before'), render: ({ before }) => plain(before ?? undefined) },
            { key: 'after', title: t('configurator.after'), render: ({ after }) => plain(after ?? undefined) },
          ]}
        />
      </div>
      <p className={styles.lead}>{t('configurator.way_back')}</p>
      <div className={styles.buttons}>
        <Button variant="primary" onClick={onApply}>
          {t('configurator.apply', { count })}
        </Button>
      </div>
    </Card>
  );
}
