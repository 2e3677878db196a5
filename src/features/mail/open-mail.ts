import { openDialog } from '../../engine/dialogs/index.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';

/** Opens the chosen mail of the mailbox. */
export async function openChosenMail({ rows }: ActionContext): Promise<void> {
  const [row] = rows;
  if (row) await openDialog('mailbox.mail', { mailId: row.id, subject: String(row['subject'] ?? '') });
}

/** Opens a preview of the chosen mail. */
export async function openTemplate({ rows }: ActionContext): Promise<void> {
  const [row] = rows;
  if (row)
    await openDialog('email-templates.preview', { id: row.id, subject: String(row['subject'] ?? ''), text: String(row['text'] ?? '') });
}
