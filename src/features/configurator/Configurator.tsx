import { useCustom } from '@refinedev/core';
import { useEffect, useMemo, useState } from 'react';
import type { ConfigDocument, ConfigSection } from '../../../schemas/kit/devices/configuration.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import { openDialog } from '../../engine/dialogs/index.ts';
import { hasUnsaved, mayLeaveEntries } from '../../engine/dialogs/unsaved.ts';
import { openJobOf } from '../../engine/form/after-submit.ts';
import { failureMessage, isCancelled, type ApiError } from '../../kernel/http/index.ts';
import { useT, useText } from '../../kernel/i18n/index.ts';
import { live } from '../../kernel/socket/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Banner, Button, Card, ErrorState, SearchInput, Skeleton } from '../../ui/index.ts';
import { AskSectionName } from './AskSectionName.tsx';
import styles from './configurator.module.css';
import { OrderEditor } from './OrderEditor.tsx';
import { SectionEditor } from './SectionEditor.tsx';
import { itemsOf, titleOf, type ConfiguredDevice, type Values } from './values.ts';
import { includesText } from '../../../schemas/kit/text/text-order.ts';

interface Chosen {
  section: string;
  item: string;
  /** It is not there yet. */
  isNew?: boolean;
  /** What is to be changed is the order of all of this kind. */
  isOrder?: boolean;
  /** What a new one starts with: the values of the one that it is a copy of. */
  start?: Values;
}

/** The settings of these devices: read, compared, and changed section by section. */
export function Configurator({ ids }: { ids: number[] }) {
  const t = useT();
  const { query } = useCustom<ConfiguredDevice[], ApiError>({
    url: '/devices/configurator/values',
    method: 'post',
    config: { payload: { device_id: ids } },
    queryOptions: { staleTime: 0 },
    errorNotification: false,
  });
  const { error, refetch } = query;
  const [channel, setChannel] = useState<string>();
  const [turn, setTurn] = useState(0);
  const devices = query.data?.data;
  const known = useMemo(() => (devices ?? []).filter(({ read_at }) => read_at !== null), [devices]);
  // The window of the job may be closed before it is over.
  useEffect(() => {
    if (channel === undefined) return undefined;
    return live.follow(channel, {
      onEvent: (event) => (event === 'JobProgress' ? void refetch() : undefined),
      onFollowed: () => void refetch(),
    });
  }, [channel, refetch]);
  // A reading that fails later must not take away what is being entered.
  if (error && !devices)
    return <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('actions.devices.configure')} />;
  if (!devices) return <Skeleton height={260} />;
  const systems = [...new Set(devices.map(({ system }) => system))];
  const [system] = systems;
  if (systems.length > 1) return <Banner kind="info">{t('configurator.several_systems')}</Banner>;
  if (!system) return <Banner kind="info">{t('configurator.unknown_system')}</Banner>;
  const unread = devices.filter(({ read_at }) => read_at === null);
  const read = async (): Promise<void> => {
    if (!(await mayLeaveEntries())) return;
    // What was entered is let go, so that what is read comes in sight.
    if (hasUnsaved()) setTurn(turn + 1);
    try {
      const answer = await dataProvider.custom({ url: '/devices/configurator/read', method: 'post', payload: { device_id: ids } });
      openJobOf({ data: null, meta: answer.meta });
      setChannel(answer.meta.channel);
    } catch (failure) {
      if (!isCancelled(failure)) toasts.error(failureMessage(failure, { fallback: t('configurator.read_failed') }));
    }
  };
  return (
    <>
      <Card>
        <div className={styles.bar}>
          <span>{t('configurator.chosen', { count: devices.length })}</span>
          <div className={styles.tools}>
            <Button icon="list-checks" onClick={() => void openDialog('configurator.group', { devices })}>
              {t('configurator.group.title')}
            </Button>
            <Button icon="refresh-cw" variant={unread.length > 0 ? 'primary' : 'default'} onClick={() => void read()}>
              {t('configurator.read')}
            </Button>
          </div>
        </div>
        {unread.length > 0 ? <Banner kind="info">{t('configurator.unread', { count: unread.length })}</Banner> : null}
      </Card>
      {known.length > 0 ? <Sections key={turn} system={system} devices={known} onStarted={setChannel} /> : null}
    </>
  );
}

function Sections({
  system,
  devices: newest,
  onStarted,
}: {
  system: string;
  devices: ConfiguredDevice[];
  onStarted: (channel: string | undefined) => void;
}) {
  const t = useT();
  const text = useText();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<Chosen>();
  // Devices that are read while somebody enters something come in sight afterwards: an editor starts again with other values.
  const [devices, setDevices] = useState(newest);
  if (newest !== devices && !hasUnsaved()) setDevices(newest);
  const choose = async (next: Chosen): Promise<void> => {
    const { section, item, isNew, isOrder } = chosen ?? {};
    const isSame = section === next.section && item === next.item && isNew === next.isNew && isOrder === next.isOrder;
    if (isSame || (await mayLeaveEntries())) setChosen(next);
  };
  const { query } = useCustom<ConfigDocument, ApiError>({
    url: `/devices/configurator/documents/${system}`,
    method: 'get',
    errorNotification: false,
  });
  const { error, refetch } = query;
  if (error)
    return <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('actions.devices.configure')} />;
  const document = query.data?.data;
  if (!document) return <Skeleton height={260} />;
  const fits = ({ title, labels, id }: ConfigSection): boolean =>
    [id, text(title), ...Object.entries(labels).flatMap(([key, label]) => [key, text(label)])].some((one) => includesText(one, search));
  const sections = document.sections
    .filter((section) => search === '' || fits(section))
    .map((section) => ({ section, items: itemsOf(devices, section) }))
    .filter(({ section, items }) => items.length > 0 || section.name === undefined);
  const present = sections.find(({ section }) => section.id === chosen?.section);
  return (
    <div className={styles.columns}>
      <Card title={t('configurator.sections')}>
        <SearchInput label={t('configurator.search')} value={search} onChange={setSearch} />
        {sections.length === 0 ? <p className={styles.muted}>{t('configurator.none')}</p> : null}
        {sections.map(({ section, items }) => (
          <div key={section.id} className={styles.section}>
            <h3>{text(section.title)}</h3>
            <div className={styles.items}>
              {items.map((item) => (
                <span key={item} className={styles.item}>
                  <Button
                    variant="ghost"
                    aria-pressed={chosen?.section === section.id && chosen.item === item && !chosen.isNew}
                    onClick={() => void choose({ section: section.id, item })}
                  >
                    {item}
                  </Button>
                  <span className={styles.muted}>{titleOf(devices, section, item)}</span>
                </span>
              ))}
              {section.name === undefined ? (
                <AskSectionName
                  icon="plus"
                  label={t('configurator.add')}
                  fullLabel={t('configurator.add.of', { section: text(section.title) })}
                  onName={(item) => void choose({ section: section.id, item, isNew: true })}
                />
              ) : null}
              {section.name === undefined && !section.isUnordered && items.length > 1 ? (
                <Button
                  icon="arrow-up-down"
                  variant="ghost"
                  aria-label={t('configurator.order.of', { section: text(section.title) })}
                  aria-pressed={chosen?.section === section.id && chosen.isOrder === true}
                  onClick={() => void choose({ section: section.id, item: '', isOrder: true })}
                >
                  {t('configurator.order')}
                </Button>
              ) : null}
            </div>
          </div>
        ))}
      </Card>
      {present && chosen?.isOrder ? (
        <OrderEditor
          key={`${chosen.section} ${devices.map(({ read_at }) => read_at).join()}`}
          section={present.section}
          devices={devices}
          onStarted={onStarted}
        />
      ) : null}
      {present && chosen && !chosen.isOrder ? (
        <SectionEditor
          key={`${chosen.section} ${chosen.item} ${chosen.isNew ? 'new' : ''} ${devices.map(({ read_at }) => read_at).join()}`}
          section={present.section}
          item={chosen.item}
          isNew={chosen.isNew === true}
          start={chosen.start}
          onCopy={(item, start) => void choose({ section: chosen.section, item, isNew: true, start })}
          devices={devices}
          onStarted={onStarted}
        />
      ) : null}
      {present && chosen ? null : (
        <Card>
          <p className={styles.muted}>{t('configurator.choose')}</p>
        </Card>
      )}
    </div>
  );
}
