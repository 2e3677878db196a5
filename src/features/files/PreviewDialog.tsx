import { useCustom } from '@refinedev/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogWindow, type DialogComponent } from '../../engine/dialogs/index.ts';
import { api, type ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner, Button, EmptyState, ErrorState, Skeleton } from '../../ui/index.ts';
import { downloadFiles } from './file-actions.ts';
import styles from './files.module.css';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'files.preview': { props: { fileId: number; name: string }; result: undefined };
  }
}

type Preview = { kind: 'text'; text: string; is_cut: boolean } | { kind: 'image'; media_type: string } | { kind: 'none' };

/** What can be shown of a file: its text, or its image. */
const PreviewDialog: DialogComponent<'files.preview'> = ({ dialog, fileId, name }) => {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  const { query } = useCustom<Preview, ApiError>({
    url: `/files/${fileId}/preview`,
    method: 'get',
    queryOptions: { gcTime: 0 },
    errorNotification: false,
  });
  const { error, refetch } = query;
  const data = query.data?.data;
  async function handleDownload(): Promise<void> {
    setBusy(true);
    await downloadFiles([fileId]);
    setBusy(false);
  }
  return (
    <DialogWindow
      dialog={dialog}
      title={name}
      size="large"
      canMinimize
      canFullscreen
      footer={
        <>
          <Button onClick={() => dialog.close()}>{t('common.close')}</Button>
          <Button variant="primary" icon="download" isBusy={isBusy} onClick={() => void handleDownload()}>
            {t('files.download')}
          </Button>
        </>
      }
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton height={240} /> : null}
      {data ? <Content preview={data} fileId={fileId} name={name} /> : null}
    </DialogWindow>
  );
};
export default PreviewDialog;

function Content({ preview, fileId, name }: { preview: Preview; fileId: number; name: string }) {
  const t = useT();
  if (preview.kind === 'none') return <EmptyState icon="file" title={t('files.preview.none')} />;
  if (preview.kind === 'image') return <ImageContent fileId={fileId} mediaType={preview.media_type} name={name} />;
  if (preview.text === '') return <EmptyState icon="file" title={t('files.preview.empty')} />;
  return (
    <div className={styles.preview}>
      {preview.is_cut ? <Banner kind="info">{t('files.preview.cut')}</Banner> : null}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Long lines scroll, also by keyboard. */}
      <pre tabIndex={0} role="region" aria-label={t('files.preview.text', { name })} className={styles.text}>
        {preview.text}
      </pre>
    </div>
  );
}

function ImageContent({ fileId, mediaType, name }: { fileId: number; mediaType: string; name: string }) {
  const t = useT();
  const { data, error, refetch } = useQuery({
    queryKey: ['files', 'image', fileId],
    gcTime: 0,
    // As the type that the server found in its first bytes: a name cannot make it anything else.
    queryFn: async () => readAsAddress((await api.download(`/files/${fileId}/download`)).blob.slice(0, undefined, mediaType)),
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return data ? <img className={styles.image} src={data} alt={t('files.preview.image', { name })} /> : <Skeleton height={240} />;
}

/** The bytes as an address that an image can be drawn from, which needs no letting go. */
function readAsAddress(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the image could not be read')));
    reader.readAsDataURL(blob);
  });
}
