import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { Button } from '../../ui/index.ts';
import styles from './upload.module.css';
import type { FormController } from './use-form-controller.ts';

/** How far the files of a form are on their way, with the way to stop them; nothing while none are. */
export function UploadBar({ controller }: { controller: FormController }) {
  const t = useT();
  const percent = uploadPercent(controller);
  if (percent === undefined) return null;
  const isSent = percent === 100;
  const words = isSent ? t('submit.upload_done') : t('submit.upload', { percent: formatNumber(percent) });
  return (
    <div className={styles.upload}>
      <progress className={styles.bar} max={100} value={percent} aria-label={words} />
      <span className={styles.words}>{words}</span>
      {isSent ? null : (
        <Button size="small" onClick={controller.cancelUpload}>
          {t('submit.upload_cancel')}
        </Button>
      )}
    </div>
  );
}

/** 0 to 100 while files are sent. */
export function uploadPercent({ phase }: FormController): number | undefined {
  if (phase.state !== 'waiting' || !phase.upload) return undefined;
  const { sent, total } = phase.upload;
  return total === 0 ? 0 : Math.floor((sent / total) * 100);
}
