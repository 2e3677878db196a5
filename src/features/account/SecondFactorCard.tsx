import { useCustom } from '@refinedev/core';
import { openForm } from '../../engine/form/index.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, Card, ErrorState, Skeleton, StatusMark } from '../../ui/index.ts';
import { PasskeyList, type Passkey } from './PasskeyList.tsx';
import styles from './SettingsPage.module.css';

interface MfaState {
  method: 'totp' | 'email' | null;
  recovery_codes_left: number;
  methods: ('totp' | 'email' | 'passkey')[];
  passkeys: Passkey[];
}

/** The user's second factor: what is on, and the ways to set it up, turn it off and make new recovery codes. */
export function SecondFactorCard() {
  const t = useT();
  const { query } = useCustom<MfaState, ApiError>({ url: '/mfa', method: 'get', errorNotification: false });
  const open = async (form: string, initial?: Record<string, string>) => {
    await openForm(form, initial ? { initial } : {});
    await query.refetch();
  };
  const state = query.data?.data;
  return (
    <Card title={t('account.mfa.title')}>
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.isPending ? <Skeleton /> : null}
      {state?.method === null ? (
        <div className={styles.programs}>
          <p className={styles.hint}>{t('account.mfa.text')}</p>
          <div className={styles.zoneControls}>
            {state.methods
              .filter((method) => method !== 'passkey')
              .map((method) => (
                <Button key={method} icon="shield-check" onClick={() => void open('mfa/enrol', { method })}>
                  {t(method === 'totp' ? 'account.mfa.setUpApp' : 'account.mfa.setUpMail')}
                </Button>
              ))}
          </div>
        </div>
      ) : null}
      {state?.method ? (
        <div className={styles.programs}>
          <div>
            <StatusMark kind="good">{t(state.method === 'totp' ? 'account.mfa.onApp' : 'account.mfa.onMail')}</StatusMark>
            <p className={styles.hint}>{t('account.mfa.left', { count: state.recovery_codes_left })}</p>
          </div>
          <div className={styles.zoneControls}>
            <Button icon="rotate-ccw" onClick={() => void open('mfa/recovery-codes')}>
              {t('account.mfa.newCodes')}
            </Button>
            <Button icon="shield-off" variant="danger" onClick={() => void open('mfa/remove')}>
              {t('account.mfa.turnOff')}
            </Button>
          </div>
        </div>
      ) : null}
      {state ? <PasskeyList passkeys={state.passkeys} canAdd={state.methods.includes('passkey')} onChange={query.refetch} /> : null}
    </Card>
  );
}
