import type { RemoteEnd } from '../../../schemas/kit/remote-wire.ts';
import { hasText, useT } from '../../kernel/i18n/index.ts';
import { Button, EmptyState } from '../../ui/index.ts';
import styles from './remote.module.css';

export interface SessionEnd {
  reason: RemoteEnd | 'lost' | 'refused-call';
  detail?: string;
  code?: number;
}

/** How a session ended, and the way into the next. */
export function EndNotice({ end, onReconnect }: { end: SessionEnd; onReconnect(): void }) {
  const t = useT();
  const isUsual = end.reason === 'closed' || end.reason === 'cancelled';
  const known = end.detail !== undefined && hasText(`remote.reasons.${end.detail}`) ? t(`remote.reasons.${end.detail}`) : end.detail;
  const text = [
    end.reason === 'closed' && end.code !== undefined ? t('remote.exit_code', { code: end.code }) : t(`remote.ends.${end.reason}`),
    isUsual ? undefined : known,
  ];
  return (
    <div className={styles.question} role="status">
      <EmptyState
        icon={isUsual ? 'unplug' : 'triangle-alert'}
        isBad={!isUsual}
        title={t('remote.ended')}
        text={text.filter(Boolean).join(' ')}
        actions={
          <Button variant="primary" icon="refresh-cw" autoFocus onClick={onReconnect}>
            {t('remote.reconnect')}
          </Button>
        }
      />
    </div>
  );
}
