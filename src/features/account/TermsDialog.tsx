import { useEffect, useState } from 'react';
import { DialogWindow } from '../../engine/dialogs/index.ts';
import type { DialogHandle } from '../../engine/dialogs/registry.ts';
import { api, failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner, Button, Skeleton } from '../../ui/index.ts';
import styles from './SettingsPage.module.css';

export interface TermsProps {
  onAccepted(): void;
  onSignOut(): void;
}

interface Terms {
  version: string;
  text: string;
}

/** The terms of service to be read and accepted; there is no other way past them than signing out. */
export default function TermsDialog({ dialog, onAccepted, onSignOut }: TermsProps & { dialog: DialogHandle<undefined> }) {
  const t = useT();
  const [terms, setTerms] = useState<Terms>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    api.get<Terms>('/account/terms').then(
      ({ data }) => setTerms(data),
      (error: unknown) => setProblem(failureMessage(error)),
    );
  }, []);
  const handleAccept = async () => {
    setBusy(true);
    try {
      await api.put('/account/user', { tos_accepted: true, version: terms?.version });
      onAccepted();
    } catch (error) {
      setProblem(failureMessage(error));
      setBusy(false);
    }
  };
  return (
    <DialogWindow
      dialog={dialog}
      title={t('account.terms.title')}
      subtitle={terms && t('account.terms.version', { version: terms.version })}
      hidesClose
      footer={
        <>
          <Button onClick={onSignOut}>{t('account.signOut')}</Button>
          <Button variant="primary" disabled={!terms} isBusy={isBusy} onClick={() => void handleAccept()}>
            {t('account.terms.accept')}
          </Button>
        </>
      }
    >
      {problem ? <Banner kind="bad">{problem}</Banner> : null}
      {terms ? <p className={styles.terms}>{terms.text}</p> : problem ? null : <Skeleton />}
    </DialogWindow>
  );
}
