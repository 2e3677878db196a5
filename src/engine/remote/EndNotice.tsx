import type { RemoteEnd } from '../../../schemas/kit/devices/remote-wire.ts';
import { api, failureMessage } from '../../kernel/http/index.ts';
import { hasText, useT } from '../../kernel/i18n/index.ts';
import { can } from '../../kernel/session/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button, EmptyState } from '../../ui/index.ts';
import type { RemotePlace } from './terms.ts';
import styles from './remote.module.css';

export interface SessionEnd {
  reason: RemoteEnd | 'lost' | 'refused-call';
  detail?: string;
  code?: number;
}

async function allowOutdated(entryId: number, onDone: () => void): Promise<void> {
  try {
    await api.put(`/devices/remote-access/${entryId}/outdated-algorithms`, { allowed: true });
    onDone();
  } catch (error) {
    toasts.error(failureMessage(error));
  }
}

/** How a session ended, and the way into the next. */
export function EndNotice({ end, place, onReconnect }: { end: SessionEnd; place?: RemotePlace; onReconnect(): void }) {
  const t = useT();
  const isOutdated = end.reason === 'legacy-needed' && can('update_device_remote_access');
  const isUsual = end.reason === 'closed' || end.reason === 'cancelled';
  const { detail = '' } = end;
  const known = [`remote.reasons.${detail}`, `values.remote_session.end_reason.${detail}`].find((key) => hasText(key));
  const text = [
    end.reason === 'closed' && end.code !== undefined ? t('remote.exit_code', { code: end.code }) : t(`remote.ends.${end.reason}`),
    isUsual ? undefined : known === undefined ? detail : t(known),
  ];
  return (
    <div className={styles.question} role="status">
      <EmptyState
        icon={isUsual ? 'unplug' : 'triangle-alert'}
        isBad={!isUsual}
        title={t('remote.ended')}
        text={text.filter(Boolean).join(' ')}
        actions={
          <>
            {isOutdated && place && 'access' in place ? (
              <Button onClick={() => void allowOutdated(place.access, onReconnect)}>{t('remote.allow_outdated')}</Button>
            ) : null}
            <Button variant="primary" icon="refresh-cw" autoFocus onClick={onReconnect}>
              {t('remote.reconnect')}
            </Button>
          </>
        }
      />
    </div>
  );
}
