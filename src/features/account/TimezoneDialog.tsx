import { DialogWindow, type DialogComponent } from '../../engine/dialogs/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button } from '../../ui/index.ts';
import { TimezoneSetting } from './TimezoneSetting.tsx';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'account.timezone': { props: object; result: undefined };
  }
}

/** The time zone, from wherever the user is. */
const TimezoneDialog: DialogComponent<'account.timezone'> = ({ dialog }) => {
  const t = useT();
  return (
    <DialogWindow
      dialog={dialog}
      title={t('account.timezone')}
      footer={<Button onClick={() => dialog.close()}>{t('common.close')}</Button>}
    >
      <TimezoneSetting />
    </DialogWindow>
  );
};
export default TimezoneDialog;
