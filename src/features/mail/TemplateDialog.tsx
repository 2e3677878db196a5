import { DialogWindow, type DialogComponent } from '../../engine/dialogs/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button } from '../../ui/index.ts';
import MailPreview from './MailPreview.tsx';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'email-templates.preview': { props: { id: number; subject: string; text: string }; result: undefined };
  }
}

/** Preview of a mail, with made-up values. */
const TemplateDialog: DialogComponent<'email-templates.preview'> = ({ dialog, id, subject, text }) => {
  const t = useT();
  return (
    <DialogWindow
      dialog={dialog}
      title={t('entities.email_template')}
      footer={<Button onClick={() => dialog.close()}>{t('common.close')}</Button>}
    >
      <MailPreview id={id} data={{ subject, text }} />
    </DialogWindow>
  );
};
export default TemplateDialog;
