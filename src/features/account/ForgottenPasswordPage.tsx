import { useState } from 'react';
import { api, failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { FieldFrame } from '../../ui/fields/FieldFrame.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { PublicPanel } from './PublicPanel.tsx';

/** Asks for a link to a new password; what is answered never tells whether the address is known. */
export default function ForgottenPasswordPage() {
  const t = useT();
  const [email, setEmail] = useState('');
  const [missing, setMissing] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [done, setDone] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const handleSubmit = async () => {
    if (email.trim() === '') return setMissing(t('signIn.emailMissing'));
    setBusy(true);
    setProblem(undefined);
    try {
      const { data } = await api.post<{ is_kept: boolean }>('/account/password/forgotten', { email: email.trim() });
      setDone(t(data.is_kept ? 'account.forgotten.kept' : 'account.forgotten.done'));
    } catch (error) {
      setProblem(failureMessage(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <PublicPanel
      title={t('forms.account.forgotten-password.title')}
      text={t('forms.account.forgotten-password.description')}
      problem={problem}
      done={done}
      submit={t('forms.account.forgotten-password.submit')}
      isBusy={isBusy}
      onSubmit={() => void handleSubmit()}
    >
      <FieldFrame label={t('signIn.email')} error={missing}>
        {(control) => (
          <TextInput
            {...control}
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            maxLength={254}
            isInvalid={missing !== undefined}
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
              setMissing(undefined);
            }}
          />
        )}
      </FieldFrame>
    </PublicPanel>
  );
}
