import { useCustom } from '@refinedev/core';
import type { File as FileRecord } from '../../../schemas/_generated/contract.ts';
import { DialogWindow, type DialogComponent } from '../../engine/dialogs/index.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { formatTime, parseWire } from '../../kernel/time/index.ts';
import { Banner, Button, EmptyState, ErrorState, Skeleton } from '../../ui/index.ts';
import styles from './files.module.css';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'files.compare': { props: { fromId: number; toId: number }; result: undefined };
  }
}

interface FileDiff {
  path: string;
  state: 'added' | 'removed' | 'changed';
  diff: string | null;
}

interface Comparison {
  from: FileRecord;
  to: FileRecord;
  files: FileDiff[];
  equal: number;
  is_cut: boolean;
}

/** How two backups differ, file by file. */
const CompareDialog: DialogComponent<'files.compare'> = ({ dialog, fromId, toId }) => {
  const t = useT();
  const { query } = useCustom<Comparison, ApiError>({
    url: `/files/${fromId}/diff/${toId}`,
    method: 'get',
    queryOptions: { gcTime: 0 },
    errorNotification: false,
  });
  const { error, refetch } = query;
  const data = query.data?.data;
  return (
    <DialogWindow
      dialog={dialog}
      title={t('files.compare.title')}
      size="large"
      canMinimize
      canFullscreen
      footer={<Button onClick={() => dialog.close()}>{t('common.close')}</Button>}
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton height={240} /> : null}
      {data ? <Differences comparison={data} /> : null}
    </DialogWindow>
  );
};
export default CompareDialog;

const timeOf = ({ created_at }: FileRecord): string => formatTime(parseWire(created_at) ?? 0, 'YYYY-MM-DD HH:mm');

function Differences({ comparison: { from, to, files, equal, is_cut: isCut } }: { comparison: Comparison }) {
  const t = useT();
  return (
    <div className={styles.preview}>
      <p className={styles.sides}>
        {t('files.compare.from', { name: from.name, time: timeOf(from) })}
        <br />
        {t('files.compare.to', { name: to.name, time: timeOf(to) })}
      </p>
      {isCut ? <Banner kind="info">{t('files.compare.cut')}</Banner> : null}
      {files.length === 0 ? <EmptyState icon="file" title={t('files.compare.none')} /> : null}
      {files.map((file) => (
        <section key={file.path} aria-label={t('files.compare.diff', { name: file.path })}>
          <h3 className={styles.path}>
            {file.path} <span>{t(`files.compare.${file.state}`)}</span>
          </h3>
          {file.diff === null ? <p>{t('files.compare.binary')}</p> : <Lines diff={file.diff} name={file.path} />}
        </section>
      ))}
      {equal > 0 ? <p>{t('files.compare.equal', { count: equal })}</p> : null}
    </div>
  );
}

const KINDS: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'place' };

function Lines({ diff, name }: { diff: string; name: string }) {
  const t = useT();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Long lines scroll, also by keyboard.
    <pre tabIndex={0} role="region" aria-label={t('files.compare.diff', { name })} className={styles.text}>
      {diff.split('\n').map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- Lines have no name of their own, and the list never changes.
        <span key={index} className={styles.line} data-kind={KINDS[line.charAt(0)]}>
          {line}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
