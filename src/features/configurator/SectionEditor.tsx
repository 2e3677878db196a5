import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ConfigSection } from '../../../schemas/kit/devices/configuration.ts';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import { FormView } from '../../engine/form/FormView.tsx';
import { useFormController } from '../../engine/form/use-form-controller.ts';
import { useEntriesGuard } from '../../engine/form/use-unsaved-guard.ts';
import { useT, useText } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Banner, Button, Card, Skeleton } from '../../ui/index.ts';
import { Preview, useChanges } from './ApplyChanges.tsx';
import { AskSectionName } from './AskSectionName.tsx';
import styles from './configurator.module.css';
import { OwnValuesGrid } from './OwnValuesGrid.tsx';
import { asEntered } from './refused-values.ts';
import { sectionForm } from './section-form.ts';
import type { OwnValues } from './unique-values.ts';
import { callsOf, devicesWith, devicesWithout, mergeValues, newSectionCalls, type ConfiguredDevice, type Values } from './values.ts';

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

/** One section of the settings: a form for all devices at once, and a grid for values of single ones. */
export function SectionEditor(props: SectionProps) {
  const t = useT();
  const text = useText();
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
      return sectionForm(section, Object.fromEntries([...mixed, ...secret]), text);
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
  // What is entered is on its way to the devices.
  const isApplied = useRef(false);
  const { preview, showPreview, tryPreview, apply, dropPreview } = useChanges((channel) => {
    isApplied.current = true;
    onStarted(channel);
  });
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
      else
        await showPreview(calls).catch((failure: unknown) => {
          const labelOf = (option: string): string => text(section.labels[option]) || option;
          throw asEntered(failure, { calls, devices: rows.map(({ device }) => device), labelOf });
        });
      return { data: null, meta: {} };
    },
  });
  const { model } = controller;
  const handleEdited = useCallback(() => {
    isApplied.current = false;
    dropPreview();
  }, [dropPreview]);
  useEntriesGuard(() => !isApplied.current && (model.isDirty() || Object.values(own).some((values) => Object.keys(values).length > 0)));
  // A preview of what was entered before must not be applied.
  useEffect(() => {
    let data = JSON.stringify(model.data());
    return model.subscribe(() => {
      const next = JSON.stringify(model.data());
      if (next === data) return;
      data = next;
      handleEdited();
    });
  }, [model, handleEdited]);
  const changeOwn = (next: OwnValues): void => {
    setOwn(next);
    handleEdited();
  };
  const remove = (): Promise<void> => tryPreview([{ device_id: ids, path: `/${section.id}/config/${item}`, method: 'delete' }]);
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
        <OwnValuesGrid section={section} rows={rows} own={own} onChange={changeOwn} />
        <div className={styles.buttons}>
          <Button variant="primary" onClick={() => void controller.submit()}>
            {t('configurator.preview')}
          </Button>
        </div>
      </Card>
      {preview ? (
        <Preview
          {...preview}
          title={`${text(section.title)}: ${item}`}
          nameOf={(option) => text(section.labels[option]) || option}
          onApply={(pace) => void apply(pace)}
          onAdded={() => void (isApplied.current = true)}
        />
      ) : null}
    </div>
  );
}
