import { api } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { PublicPanel } from './PublicPanel.tsx';
import { useLinkToken } from './use-link-token.ts';
import { useSubmit } from './use-submit.ts';

/** Where the link to a new address leads. It asks for a click: programs that open the links of mails change nothing. */
export default function ConfirmEmailPage() {
  const t = useT();
  const token = useLinkToken();
  const state = useSubmit(async () => {
    await api.post('/account/email/confirm', { token });
    return t('account.confirmEmail.done');
  });
  return (
    <PublicPanel
      title={t('account.confirmEmail.title')}
      text={t('account.confirmEmail.text')}
      {...state}
      submit={t('account.confirmEmail.submit')}
    />
  );
}
