import { useState } from 'react';
import { api } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { FieldFrame, TextInput } from '../../ui/index.ts';
import { PublicPanel } from './PublicPanel.tsx';
import { useSubmit } from './use-submit.ts';

/** Asks for a link to a new password; the answer never reveals whether the address is known. */
export default function ForgottenPasswordPage() {
  const t = useT();
  const [email, setEmail] = useState('');
  const [missing, setMissing] = useState<string>();
  const state = useSubmit(async () => {
    if (email.trim() === '') return void setMissing(t('signIn.emailMissing'));
    const { data } = await api.post<{ is_kept: boolean }>('/account/password/forgotten', { email: email.trim() });
    return t(data.is_kept ? 'account.forgotten.kept' : 'account.forgotten.done');
  });
  return (
    <PublicPanel
      title={t('forms.account.forgotten-password.title')}
      text={t('forms.account.forgotten-password.description')}
      {...state}
      submit={t('forms.account.forgotten-password.submit')}
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
