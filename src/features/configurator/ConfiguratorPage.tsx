import { lazy, Suspense, useState } from 'react';
import { mayLeaveEntries } from '../../engine/dialogs/unsaved.ts';
import { getResource } from '../../engine/resources/all.ts';
import { useT, withTexts } from '../../kernel/i18n/index.ts';
import { Button, Card, PageHeader, Spinner } from '../../ui/index.ts';
import { Configurator } from './Configurator.tsx';
import styles from './configurator.module.css';

const RecordPicker = lazy(withTexts(['form'], () => import('../../engine/form/theme/widgets/RecordPicker.tsx')));

const COLUMNS = ['status', 'name', 'model', 'firmware'];
const MOST = 500;

/** `/device-configuration`: first the devices, then their settings side by side. */
export function ConfiguratorPage() {
  const t = useT();
  const [chosen, setChosen] = useState<number[]>([]);
  const [isChosen, setIsChosen] = useState(false);
  const chooseOthers = async (): Promise<void> => {
    if (await mayLeaveEntries()) setIsChosen(false);
  };
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('actions.devices.configure')}
        {...(isChosen ? { actions: <Button onClick={() => void chooseOthers()}>{t('configurator.other_devices')}</Button> } : {})}
      />
      {isChosen ? (
        <Configurator ids={chosen} />
      ) : (
        <Card>
          <p className={styles.lead}>{t('configurator.lead')}</p>
          <Suspense fallback={<Spinner />}>
            <RecordPicker
              label={t('resources.devices.title')}
              resource={getResource('devices')}
              columns={COLUMNS}
              chosen={chosen}
              most={MOST}
              isMultiple
              onChange={setChosen}
            />
          </Suspense>
          <div className={styles.buttons}>
            <Button variant="primary" disabled={chosen.length === 0} onClick={() => setIsChosen(true)}>
              {t('configurator.continue', { count: chosen.length })}
            </Button>
          </div>
        </Card>
      )}
    </div>
  );
}
