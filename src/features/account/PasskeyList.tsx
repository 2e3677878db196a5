import { useCreate, type BaseRecord } from '@refinedev/core';
import { useState } from 'react';
import { openForm } from '../../engine/form/index.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import { doneNotice } from '../../engine/data/notification-provider.tsx';
import { ApiError, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { hasPasskeys, isGivenUp, makePasskey } from '../../kernel/passkeys.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button, IconButton, RelativeTime } from '../../ui/index.ts';
import { RecoveryCodes, readRecoveryCodes } from './RecoveryCodes.tsx';
import styles from './SettingsPage.module.css';

export interface Passkey {
  id: number;
  name: string;
  last_used_at: string | null;
  created_at: string;
}

/** The user's passkeys, each to be renamed or removed, and the way to add one. */
export function PasskeyList({
  passkeys,
  canAdd,
  onChange,
}: {
  passkeys: readonly Passkey[];
  canAdd: boolean;
  onChange(): Promise<unknown>;
}) {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  const [codes, setCodes] = useState<string[]>([]);
  const { mutateAsync: create } = useCreate<BaseRecord, ApiError>({
    resource: 'mfa/passkeys',
    // One list has them, and it is read again below.
    invalidates: [],
    successNotification: () => doneNotice(t('account.passkeys.added')),
    errorNotification: false,
  });
  const add = async () => {
    setBusy(true);
    try {
      const { data: options } = await dataProvider.custom<Parameters<typeof makePasskey>[0]>({
        url: '/mfa/passkeys/options',
        method: 'post',
        payload: {},
      });
      const { data } = await create({ values: { response: await makePasskey(options) } });
      setCodes(readRecoveryCodes(data));
      await onChange();
    } catch (error) {
      if (isCancelled(error) || isGivenUp(error)) return;
      toasts.error(error instanceof ApiError ? failureMessage(error) : t('account.passkeys.failed'));
    } finally {
      setBusy(false);
    }
  };
  const open = async (form: string, record: Passkey) => {
    if (await openForm(form, { record: { ...record } })) await onChange();
  };
  if (passkeys.length === 0 && !canAdd) return null;
  return (
    <div className={styles.passkeys}>
      <h3>{t('account.passkeys.title')}</h3>
      <p className={styles.hint}>{t('account.passkeys.text')}</p>
      {codes.length > 0 ? <RecoveryCodes codes={codes} onDone={() => setCodes([])} /> : null}
      <ul className={styles.sessions}>
        {passkeys.map((passkey) => (
          <li key={passkey.id} className={styles.session}>
            <div>
              <p className={styles.device}>{passkey.name}</p>
              <p className={styles.hint}>
                {t('account.passkeys.used')} <RelativeTime time={passkey.last_used_at} saysAgo />
              </p>
            </div>
            <div className={styles.buttons}>
              <IconButton
                icon="pencil"
                label={t('account.passkeys.rename', { name: passkey.name })}
                onClick={() => void open('mfa/rename-passkey', passkey)}
              />
              <IconButton
                icon="trash-2"
                label={t('account.passkeys.remove', { name: passkey.name })}
                onClick={() => void open('mfa/remove-passkey', passkey)}
              />
            </div>
          </li>
        ))}
      </ul>
      {canAdd && hasPasskeys() ? (
        <Button icon="key-round" className={styles.add} isBusy={isBusy} onClick={() => void add()}>
          {t('account.passkeys.add')}
        </Button>
      ) : null}
    </div>
  );
}
