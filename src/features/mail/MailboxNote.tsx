import { useT } from '../../kernel/i18n/index.ts';
import { Banner } from '../../ui/index.ts';

/** What the mailbox is for, and how mails come to leave this installation. */
export function MailboxNote() {
  const t = useT();
  return (
    <Banner kind="info" title={t('mail.mailbox.title')}>
      {t('mail.mailbox.text')}
    </Banner>
  );
}
