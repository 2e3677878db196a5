import { useState } from 'react';
import { DialogWindow, type DialogComponent } from '../../engine/dialogs/index.ts';
import { failureMessage, itemMessage } from '../../kernel/http/index.ts';
import { useT, type Translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button, StatusMark } from '../../ui/index.ts';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import type { BundledForm } from './read-bundle.ts';
import { studio, type Imported } from './studio-api.ts';
import styles from './studio.module.css';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'forms.imported': { props: { forms: readonly BundledForm[]; result: Imported }; result: undefined };
  }
}

function reasonOf(item: ErrorItem, t: Translate): string {
  if (item.code === 'FORM_CHANGED') return t('studio.import.different');
  if (item.code === 'INVALID_FORM') return `${item.params?.['line']}:${item.params?.['column']} ${item.message}`;
  return itemMessage(item);
}

/** What became of each form of a file; those that differ from one that is here can be taken in all the same. */
const ImportedDialog: DialogComponent<'forms.imported'> = ({ dialog, forms, result }) => {
  const t = useT();
  const [shown, setShown] = useState(result);
  const [isBusy, setBusy] = useState(false);
  const idOf = (source: string | undefined): string => forms[Number(source?.split('.')[1])]?.id ?? '';
  const different = forms.filter(({ id }) => shown.errors.some((item) => item.code === 'FORM_CHANGED' && idOf(item.source) === id));

  const handleReplace = async () => {
    setBusy(true);
    try {
      const again = await studio.import(different, true);
      const rest = shown.errors.filter((item) => !different.some(({ id }) => id === idOf(item.source)));
      const failed = again.errors.map((item) => {
        const id = different[Number(item.source?.split('.')[1])]?.id;
        return { ...item, source: `forms.${forms.findIndex((form) => form.id === id)}` };
      });
      setShown({ saved: [...shown.saved, ...again.saved], errors: [...rest, ...failed] });
    } catch (error) {
      toasts.error(failureMessage(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <DialogWindow
      dialog={dialog}
      title={t('studio.import.result')}
      footer={
        <>
          {different.length > 0 ? (
            <Button variant="danger" isBusy={isBusy} onClick={() => void handleReplace()}>
              {t('studio.import.replace', { count: different.length })}
            </Button>
          ) : null}
          <Button variant="primary" onClick={() => dialog.close()}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      <ul className={styles.results} aria-live="polite">
        {shown.saved.map(({ id, version }) => (
          <li key={id}>
            <StatusMark kind="good">{t('studio.import.saved', { version })}</StatusMark> <code>{id}</code>
          </li>
        ))}
        {shown.errors.map((item, index) => (
          // Several items can be about one form.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <StatusMark kind="bad">{t('studio.import.refused')}</StatusMark> <code>{idOf(item.source)}</code> {reasonOf(item, t)}
          </li>
        ))}
      </ul>
    </DialogWindow>
  );
};
export default ImportedDialog;
