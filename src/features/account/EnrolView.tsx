import { useCustomMutation, type BaseRecord } from '@refinedev/core';
import { useRef, useState, type FormEvent } from 'react';
import type { ResultViewProps } from '../../engine/form/index.ts';
import { failureMessage, type ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, FieldFrame, QrCode, TextInput } from '../../ui/index.ts';
import { RecoveryCodes, readRecoveryCodes } from './RecoveryCodes.tsx';
import styles from './second-factor.module.css';

interface Enrolment {
  secret: string;
  uri: string;
}

function readEnrolment(data: unknown): Enrolment | undefined {
  if (typeof data !== 'object' || data === null || !('secret' in data) || !('uri' in data)) return undefined;
  return { secret: String(data.secret), uri: String(data.uri) };
}

/** After the setup of a second factor was started: what the app scans (or that a mail is on its way), the code that confirms it, then the recovery codes. */
export default function EnrolView({ result, close }: ResultViewProps) {
  const t = useT();
  const enrolment = readEnrolment(result.data);
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<string>();
  const { mutate, mutation } = useCustomMutation<BaseRecord, ApiError>();
  const isBusy = mutation.isPending;
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();
  const box = useRef<HTMLInputElement>(null);
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onDone={close} />;

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    mutate(
      { url: '/mfa', method: 'post', values: { code: code.trim() }, errorNotification: false },
      {
        onSuccess: ({ data }) => setRecoveryCodes(readRecoveryCodes(data)),
        onError: (error) => {
          setWrong(failureMessage(error));
          box.current?.focus();
        },
      },
    );
  };
  return (
    <form className={styles.view} noValidate onSubmit={handleSubmit}>
      {enrolment ? (
        <div className={styles.scan}>
          <QrCode text={enrolment.uri} label={t('account.mfa.qr')} className={styles.qr} />
          <div>
            <p>{t('account.mfa.scan')}</p>
            <p className={styles.hint}>{t('account.mfa.type')}</p>
            <code className={styles.secret}>{enrolment.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
          </div>
        </div>
      ) : (
        <p>{t('account.mfa.mailed')}</p>
      )}
      <FieldFrame label={t('account.mfa.code')} error={wrong}>
        {(control) => (
          <TextInput
            {...control}
            ref={box}
            autoFocus
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={40}
            isInvalid={wrong !== undefined}
            value={code}
            onChange={(event) => {
              setCode(event.target.value);
              setWrong(undefined);
            }}
          />
        )}
      </FieldFrame>
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" className={styles.done} isBusy={isBusy} disabled={code.trim() === ''}>
          {t('account.mfa.confirm')}
        </Button>
      </div>
    </form>
  );
}
