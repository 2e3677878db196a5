import { useState } from 'react';
import { ApiError, api, itemMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { FieldFrame, PasswordInput } from '../../ui/index.ts';
import { PublicPanel } from './PublicPanel.tsx';
import { useLinkToken } from './use-link-token.ts';
import { useSubmit } from './use-submit.ts';

/** Where the link of a forgotten password leads. */
export default function NewPasswordPage() {
  const t = useT();
  const token = useLinkToken();
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<string>();
  const state = useSubmit(async () => {
    try {
      await api.post('/account/password/reset', { token, password });
      return t('account.newPassword.done');
    } catch (error) {
      const atField = error instanceof ApiError ? error.items.find(({ source }) => source === 'password') : undefined;
      if (!atField) throw error;
      return void setWrong(itemMessage(atField));
    }
  });
  return (
    <PublicPanel title={t('forms.account.new-password.title')} {...state} submit={t('forms.account.new-password.submit')}>
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
