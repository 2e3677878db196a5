import { useCustom } from '@refinedev/core';
import { lazy, Suspense, useState } from 'react';
import { DialogWindow, type DialogComponent } from '../../engine/dialogs/index.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, ErrorState, PressArea, RelativeTime, Spinner } from '../../ui/index.ts';
import type { VersionLine } from './studio-api.ts';
import styles from './studio.module.css';

const TextDiff = lazy(() => import('./editor/TextDiff.tsx'));

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    /** Answers the number of the version to go back to. */
    'forms.versions': { props: { id: string; text: string }; result: number };
  }
}

/** The versions of a form, newest first; the chosen one is compared with the text in the editor. */
const VersionsDialog: DialogComponent<'forms.versions'> = ({ dialog, id, text }) => {
  const t = useT();
  const [chosen, setChosen] = useState<number>();
  const { query } = useCustom<VersionLine[], ApiError>({
    url: `/forms/${id}/versions`,
    method: 'get',
    queryOptions: { gcTime: 0 },
    errorNotification: false,
  });
  const { error, refetch } = query;
  const data = query.data?.data;
  return (
    <DialogWindow
      dialog={dialog}
      title={t('studio.versions.title', { id })}
      size="large"
      canFullscreen
      footer={
        <>
          <Button onClick={() => dialog.close()}>{t('common.close')}</Button>
          {chosen === undefined ? null : (
            <Button variant="primary" icon="undo-2" onClick={() => dialog.close(chosen)}>
              {t('studio.versions.restore', { version: chosen })}
            </Button>
          )}
        </>
      }
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Spinner /> : null}
      <ul className={styles.versions}>
        {data?.map(({ number, user_name, note, at }) => (
          <li key={number}>
            <PressArea className={styles.finding} isPressed={chosen === number} onClick={() => setChosen(number)}>
              <strong>{t('studio.versions.number', { version: number })}</strong>
              <span>{user_name || t('studio.versions.folder')}</span>
              <RelativeTime time={at} saysAgo />
              <span>{note}</span>
            </PressArea>
          </li>
        ))}
      </ul>
      {chosen === undefined ? null : <VersionDiff key={chosen} id={id} number={chosen} text={text} />}
    </DialogWindow>
  );
};
export default VersionsDialog;

function VersionDiff({ id, number, text }: { id: string; number: number; text: string }) {
  const t = useT();
  const { query } = useCustom<{ text: string }, ApiError>({
    url: `/forms/${id}/versions/${number}`,
    method: 'get',
    errorNotification: false,
  });
  const { error, refetch } = query;
  const data = query.data?.data.text;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Spinner />;
  if (data === text) return <p className={styles.lead}>{t('studio.versions.same')}</p>;
  return (
    <>
      <p className={styles.lead}>{t('studio.versions.diff', { version: number })}</p>
      <Suspense fallback={<Spinner />}>
        <TextDiff label={t('studio.versions.diff', { version: number })} before={text} after={data} />
      </Suspense>
    </>
  );
}
