import type { EnrolmentCode } from '../../../schemas/_generated/contract.ts';
import { openDialog } from '../../engine/dialogs/index.ts';
import { openForm } from '../../engine/form/index.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';
import type { DialogComponent } from '../../engine/dialogs/registry.ts';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'devices.enrolment': { props: { code: EnrolmentCode }; result: undefined };
  }
}
export type EnrolmentDialogComponent = DialogComponent<'devices.enrolment'>;

/** Makes an enrolment code, then shows the line to run on the device and waits with the user until it is there. */
export async function addDevice({ reload }: ActionContext): Promise<void> {
  const answer = await openForm<EnrolmentCode>('devices/add', {});
  if (!answer) return;
  await openDialog('devices.enrolment', { code: answer.data });
  reload();
}
