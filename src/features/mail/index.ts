import { registerDialog } from '../../engine/dialogs/index.ts';
import { registerFormPreview, registerResultView } from '../../engine/form/index.ts';
import { registerCodeAction, registerStrip } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';

/** Mails: what they say, the mailbox of an installation without a mail server, and the test of the mail server. */
export const room: Room = {
  register() {
    registerDialog('mailbox.mail', () => import('./KeptMailDialog.tsx'));
    registerDialog('email-templates.preview', () => import('./TemplateDialog.tsx'));
    registerStrip('mailbox-note', 48, async () => (await import('./MailboxNote.tsx')).MailboxNote);
    registerCodeAction('mailbox.open', async () => (await import('./open-mail.ts')).openChosenMail);
    registerCodeAction('email-templates.preview', async () => (await import('./open-mail.ts')).openTemplate);
    registerFormPreview('mail/edit-template', () => import('./MailPreview.tsx'));
    for (const form of ['mail/test', 'mail/test-configuration']) registerResultView(form, () => import('./MailTestView.tsx'));
  },
};
