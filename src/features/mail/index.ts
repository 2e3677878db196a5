import { registerDialog } from '../../engine/dialogs/index.ts';
import { registerResultView } from '../../engine/form/index.ts';
import { registerCodeAction, registerStrip } from '../../engine/resources/registry.ts';
import type { Room } from '../../engine/rooms/room.ts';

/** Mails: the mailbox of an installation without a mail server, and the test of the mail server. */
export const room: Room = {
  register() {
    registerDialog('mailbox.mail', () => import('./KeptMailDialog.tsx'));
    registerStrip('mailbox-note', 48, async () => (await import('./MailboxNote.tsx')).MailboxNote);
    registerCodeAction('mailbox.open', async () => (await import('./open-mail.ts')).openChosenMail);
    for (const form of ['mail/test', 'mail/test-configuration']) registerResultView(form, () => import('./MailTestView.tsx'));
  },
};
