import { useState } from 'react';
import { ApiError, api, failureMessage, itemMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { FieldFrame } from '../../ui/fields/FieldFrame.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { PublicPanel } from './PublicPanel.tsx';
import { useLinkToken } from './use-link-token.ts';

/** Where the link of a forgotten password leads. */
export default function NewPasswordPage() {
  const t = useT();
  const token = useLinkToken();
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [done, setDone] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const handleSubmit = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await api.post('/account/password/reset', { token, password });
      setDone(t('account.newPassword.done'));
    } catch (error) {
      const atField = error instanceof ApiError ? error.items.find(({ source }) => source === 'password') : undefined;
      if (atField) setWrong(itemMessage(atField));
      else setProblem(failureMessage(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <PublicPanel
      title={t('forms.account.new-password.title')}
      problem={problem}
      done={done}
      submit={t('forms.account.new-password.submit')}
      isBusy={isBusy}
      onSubmit={() => void handleSubmit()}
    >
      <FieldFrame label={t('forms.account.password.password')} hint={t('setUp.passwordHint')} error={wrong}>
        {(control) => (
          <PasswordInput
            {...control}
            autoComplete="new-password"
            autoFocus
            maxLength={200}
            isInvalid={wrong !== undefined}
            value={password}
            onChange={(event) => {
              setPassword(event.target.value);
              setWrong(undefined);
            }}
          />
        )}
      </FieldFrame>
    </PublicPanel>
  );
}
