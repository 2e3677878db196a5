import { useEffect } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, Spinner } from '../../ui/index.ts';
import { DialogWindow, type DialogComponent } from '../dialogs/index.ts';
import { type RemotePlace, readTerms, type RemoteTerms } from './terms.ts';

declare module '../dialogs/registry.ts' {
  interface DialogTypes {
    'remote.consent-wait': { props: { place: RemotePlace; device: string; company: string }; result: RemoteTerms['consent'] };
  }
}

const ASK_EVERY_MS = 3000;

/** Waits until somebody at the company of the device has answered; closed with what they said. */
const ConsentWaitDialog: DialogComponent<'remote.consent-wait'> = ({ dialog, place, device, company }) => {
  const t = useT();
  useEffect(() => {
    const timer = setInterval(() => {
      // A lost connection is asked for again the next time.
      readTerms(place).then(
        ({ consent }) => consent !== 'asked' && dialog.close(consent),
        () => undefined,
      );
    }, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [dialog, place]);
  return (
    <DialogWindow
      dialog={dialog}
      title={t('remote.consent.title', { device })}
      footer={<Button onClick={() => dialog.close()}>{t('dialogs.cancel')}</Button>}
    >
      <p role="status">
        <Spinner /> {t('remote.consent.waiting', { company })}
      </p>
    </DialogWindow>
  );
};
export default ConsentWaitDialog;
