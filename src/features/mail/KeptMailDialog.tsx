import { useOne } from '@refinedev/core';
import { DialogWindow, type DialogComponent } from '../../engine/dialogs/index.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, ErrorState, Skeleton } from '../../ui/index.ts';
import styles from './mail.module.css';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'mailbox.mail': { props: { mailId: number; subject: string }; result: undefined };
  }
}

// Matches `https://canopy.example/invitation#aB3_-x`: an address up to the next blank.
const ADDRESS = /(https?:\/\/\S+)/;

/** A mail that was kept here: to whom, and its text, in which links lead on. */
const KeptMailDialog: DialogComponent<'mailbox.mail'> = ({ dialog, mailId, subject }) => {
  const t = useT();
  const { query } = useOne<{ to: string; text: string }, ApiError>({
    resource: 'system/mailbox',
    id: mailId,
    queryOptions: { gcTime: 0 },
    errorNotification: false,
  });
  const { error, refetch } = query;
  const data = query.data?.data;
  return (
    <DialogWindow dialog={dialog} title={subject} footer={<Button onClick={() => dialog.close()}>{t('common.close')}</Button>}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton height={160} /> : null}
      {data ? (
        <div className={styles.body}>
          <p>{t('mail.mailbox.to', { email: data.to })}</p>
          <p className={styles.text}>
            <Linked text={data.text} />
          </p>
        </div>
      ) : null}
    </DialogWindow>
  );
};
export default KeptMailDialog;

function Linked({ text }: { text: string }) {
  // With its group, split gives plain text and addresses by turns.
  return text.split(ADDRESS).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- The parts of one text never change.
      <a key={index} href={part} target="_blank" rel="noreferrer">
        {part}
      </a>
    ),
  );
}
