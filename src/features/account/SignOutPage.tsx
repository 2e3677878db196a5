import { useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { useUser } from '../../kernel/session/index.ts';
import { Button, EmptyState, PageHeader } from '../../ui/index.ts';
import { signOut } from './sign-out.ts';

/** `/logout`: the way out at an address. It waits for a press, so that no link from elsewhere signs anybody out. */
export default function SignOutPage() {
  const t = useT();
  const user = useUser();
  const [isBusy, setBusy] = useState(false);
  const title = t(user.act ? 'impersonation.cancel' : 'account.signOut');
  const handleClick = async (): Promise<void> => {
    setBusy(true);
    await signOut(user);
    setBusy(false);
  };
  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        icon="log-out"
        title={`${user.username} · ${user.company_name}`}
        actions={
          <Button variant="primary" isBusy={isBusy} onClick={() => void handleClick()}>
            {title}
          </Button>
        }
      />
    </>
  );
}
