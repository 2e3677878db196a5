import { lazy, Suspense } from 'react';
import { DialogWindow, type DialogComponent } from '../../engine/dialogs/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, Spinner } from '../../ui/index.ts';
import styles from './studio.module.css';

const TextDiff = lazy(() => import('./editor/TextDiff.tsx'));

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'forms.conflict': { props: { mine: string; theirs: string; by: string }; result: 'mine' | 'theirs' };
  }
}

/** Two people changed one form: what differs, and whose text stays (docs/checks.md G5). */
const ConflictDialog: DialogComponent<'forms.conflict'> = ({ dialog, mine, theirs, by }) => {
  const t = useT();
  return (
    <DialogWindow
      dialog={dialog}
      title={t('studio.conflict')}
      size="large"
      canFullscreen
      footer={
        <>
          <Button onClick={() => dialog.close()}>{t('dialogs.cancel')}</Button>
          <Button onClick={() => dialog.close('theirs')}>{t('studio.conflict.theirs')}</Button>
          <Button variant="primary" onClick={() => dialog.close('mine')}>
            {t('studio.conflict.mine')}
          </Button>
        </>
      }
    >
      <p className={styles.lead}>{t('studio.conflict.text', { name: by || '—' })}</p>
      <Suspense fallback={<Spinner />}>
        <TextDiff label={t('studio.conflict.diff')} before={theirs} after={mine} />
      </Suspense>
    </DialogWindow>
  );
};
export default ConflictDialog;
