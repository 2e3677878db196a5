import { registerDialog } from '../../engine/dialogs/index.ts';
import { registerFormPreview, registerResultView } from '../../engine/form/index.ts';
import { registerCodeAction, registerStrip } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';
import { withTexts } from '../../kernel/i18n/index.ts';

/** Mails: what they say, the mailbox of an installation without a mail server, and the test of the mail server. */
export const room: Room = {
  register() {
    registerDialog(
      'mailbox.mail',
      withTexts(['mail'], () => import('./KeptMailDialog.tsx')),
    );
    registerDialog(
      'email-templates.preview',
      withTexts(['mail'], () => import('./TemplateDialog.tsx')),
    );
    registerStrip(
      'mailbox-note',
      48,
      withTexts(['mail'], async () => (await import('./MailboxNote.tsx')).MailboxNote),
    );
    registerCodeAction('mailbox.open', async () => (await import('./open-mail.ts')).openChosenMail);
    registerCodeAction('email-templates.preview', async () => (await import('./open-mail.ts')).openTemplate);
    registerFormPreview(
      'mail/edit-template',
      withTexts(['mail'], () => import('./MailPreview.tsx')),
    );
    for (const form of ['mail/test', 'mail/test-configuration'])
      registerResultView(
        form,
        withTexts(['mail'], () => import('./MailTestView.tsx')),
      );
  },
};
