import { useOne } from '@refinedev/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { HotspotVoucher } from '../../../schemas/_generated/contract.ts';
import { PageActions } from '../../engine/actions/PageActions.tsx';
import { api, failureMessage, isCancelled, type ApiError } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button, Card, ExactTime, PageError, PageHeader, Skeleton, StatusMark } from '../../ui/index.ts';
import styles from './wireless.module.css';

/** A set of vouchers: its limits, and its codes as cards to print. */
export default function VouchersPage({ id }: { id: number }) {
  const t = useT();
  const can = useCan();
  const { query } = useOne<HotspotVoucher, ApiError>({ resource: 'hotspot-vouchers', id, errorNotification: false });
  const { error, refetch } = query;
  const found = query.data?.data;
  if (error) return <PageError error={error} onRetry={() => void refetch()} item={t('entities.hotspot_voucher')} />;
  if (!found) return <Skeleton height={260} />;
  return (
    <div className={styles.page}>
      <PageHeader
        title={found.name}
        breadcrumb={[
          <Link key="list" to="/management/hotspots/vouchers">
            {t('resources.hotspot-vouchers.title')}
          </Link>,
        ]}
        actions={<PageActions resource="hotspot-vouchers" row={{ ...found }} onDone={() => void refetch()} />}
      />
      <Card title={t('wireless.about_vouchers')}>
        <dl className={styles.facts}>
          <dt>{t('fields.state')}</dt>
          <dd>
            <StatusMark kind={found.state === 'active' ? 'good' : 'idle'}>{t(`values.hotspot_voucher.state.${found.state}`)}</StatusMark>
          </dd>
          <dt>{t('fields.amount')}</dt>
          <dd>{found.amount}</dd>
          <dt>{t('fields.minutes')}</dt>
          <dd>{found.minutes === 0 ? t('wireless.no_limit') : t('wireless.minutes', { count: found.minutes })}</dd>
          <dt>{t('fields.megabytes')}</dt>
          <dd>{found.megabytes === 0 ? t('wireless.no_limit') : `${formatNumber(found.megabytes)} ${t('units.megabytes')}`}</dd>
          <dt>{t('wireless.valid_until')}</dt>
          <dd>{found.ends_at === null ? t('wireless.no_limit') : <ExactTime time={found.ends_at} />}</dd>
          <dt>{t('fields.devices_count')}</dt>
          <dd>{found.devices_count}</dd>
        </dl>
      </Card>
      {can('update_device_hotspots') && found.state === 'active' ? <Cards vouchers={found} /> : null}
    </div>
  );
}

function Cards({ vouchers }: { vouchers: HotspotVoucher }) {
  const t = useT();
  const [codes, setCodes] = useState<string[]>();
  async function show(): Promise<void> {
    try {
      const { data } = await api.get<{ codes: string[] }>(`/hotspots/vouchers/${vouchers.id}/codes`);
      setCodes(data.codes);
    } catch (failure) {
      if (!isCancelled(failure)) toasts.error(failureMessage(failure, { fallback: t('wireless.read_failed') }));
    }
  }
  return (
    <Card
      title={t('wireless.voucher_cards')}
      extra={
        codes ? (
          <Button icon="printer" onClick={() => window.print()}>
            {t('wireless.print')}
          </Button>
        ) : (
          <Button icon="eye" onClick={() => void show()}>
            {t('wireless.show_codes')}
          </Button>
        )
      }
    >
      <ul className={styles.cards} aria-label={t('wireless.voucher_cards')}>
        {(codes ?? []).map((code) => (
          <li key={code} className={styles.voucher}>
            {vouchers.ssid === '' ? null : (
              <span>
                {t('wireless.card_network')}: <strong>{vouchers.ssid}</strong>
              </span>
            )}
            <span>
              {t('wireless.card_code')}: <strong className={styles.code}>{code}</strong>
            </span>
            <span>
              {[
                vouchers.minutes === 0 ? '' : t('wireless.minutes', { count: vouchers.minutes }),
                vouchers.megabytes === 0 ? '' : `${formatNumber(vouchers.megabytes)} ${t('units.megabytes')}`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
            <small>{t('wireless.card_hint')}</small>
          </li>
        ))}
      </ul>
    </Card>
  );
}
