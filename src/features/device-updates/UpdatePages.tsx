import { Suspense, lazy, useState } from 'react';
import type { JobStartProps } from '../../engine/actions/job-start.ts';
import { openDialog } from '../../engine/dialogs/index.ts';
import { getResource } from '../../engine/resources/all.ts';
import { useT, withTexts } from '../../kernel/i18n/index.ts';
import { Button, Card, PageHeader, Spinner } from '../../ui/index.ts';
import type { SelectionInput } from '../../../schemas/kit/form/types.ts';
import styles from './device-updates.module.css';

const RecordPicker = lazy(withTexts(['form'], () => import('../../engine/form/theme/widgets/RecordPicker.tsx')));

const COLUMNS = ['status', 'name', 'model', 'firmware'];
const MOST = 10_000;

type Matching = NonNullable<SelectionInput['selection']>;

/** First the devices, then the dialog that asks what they get, shows what would happen to each, and starts it. */
function DevicesFirst({ kind, form, title, lead }: Pick<JobStartProps, 'kind'> & { form: string; title: string; lead: string }) {
  const t = useT();
  const [chosen, setChosen] = useState<number[]>([]);
  const [matching, setMatching] = useState<Matching>();
  const count = matching?.count ?? chosen.length;

  async function handleContinue(): Promise<void> {
    const selection: SelectionInput = matching ? { selection: matching } : { device_id: chosen };
    const started = await openDialog('job.start', { kind, form, risk: 'disruptive', selection, count });
    if (!started) return;
    setChosen([]);
    setMatching(undefined);
  }

  return (
    <div className={styles.page}>
      <PageHeader title={title} />
      <Card>
        <p className={styles.lead}>{lead}</p>
        <Suspense fallback={<Spinner />}>
          <RecordPicker
            label={t('resources.devices.title')}
            resource={getResource('devices')}
            columns={COLUMNS}
            chosen={chosen}
            most={MOST}
            isMultiple
            {...(matching ? { matching } : {})}
            onChooseMatching={setMatching}
            onChange={(ids) => {
              setMatching(undefined);
              setChosen(ids);
            }}
          />
        </Suspense>
        <div className={styles.buttons}>
          <Button variant="primary" disabled={count === 0} onClick={() => void handleContinue()}>
            {t('updates.continue', { count })}
          </Button>
        </div>
      </Card>
    </div>
  );
}

/** `/management/update-firmware`. */
export function FirmwarePage() {
  const t = useT();
  const [title, lead] = [t('forms.devices.update-firmware.title'), t('forms.devices.update-firmware.description')];
  return <DevicesFirst kind="update_firmware" form="devices/update-firmware" title={title} lead={lead} />;
}

/** `/management/upload-backup`. */
export function BackupPage() {
  const t = useT();
  const [title, lead] = [t('forms.devices.upload-backup.title'), t('forms.devices.upload-backup.description')];
  return <DevicesFirst kind="upload_backup" form="devices/upload-backup" title={title} lead={lead} />;
}
