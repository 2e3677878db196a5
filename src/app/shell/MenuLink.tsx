import { useList } from '@refinedev/core';
import { useEffect, useRef } from 'react';
import { Link, useMatch } from 'react-router';
import { collect } from '../../engine/live/throttle.ts';
import type { MenuItem } from '../../engine/resources/derive.ts';
import { formatNumber, useT, useText } from '../../kernel/i18n/index.ts';
import { forgetKept, queryClient } from '../../kernel/queries.ts';
import { useUser } from '../../kernel/session/index.ts';
import { live } from '../../kernel/socket/index.ts';
import { cx, findIconName, Icon, Tooltip } from '../../ui/index.ts';
import { findResource } from '../resources.ts';
import styles from './SideMenu.module.css';

/** One page of the navigation, `isActive` on it and on the pages that belong to it; a click on the one that is open loads its data again. */
export function MenuLink({ item, isActive, isShort }: { item: MenuItem; isActive: boolean; isShort: boolean }) {
  const t = useT();
  const text = useText();
  const isHere = useMatch(item.path) !== null;
  const place = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isActive) place.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isActive]);
  const label = item.text === undefined ? t(item.label) : text(item.text);
  const link = (
    <Link
      to={item.path}
      aria-current={isHere ? 'page' : undefined}
      ref={place}
      className={cx(styles.link, isActive && styles.active)}
      onClick={(event) => {
        if (!isHere || event.metaKey || event.ctrlKey) return;
        event.preventDefault();
        forgetKept();
        void queryClient.refetchQueries({ type: 'active' });
      }}
    >
      <Icon name={findIconName(item.icon)} />
      <span className={isShort ? 'visually-hidden' : styles.label}>{label}</span>
      {isHere && !isShort ? <Count of={item.resource} /> : null}
    </Link>
  );
  return isShort ? (
    <Tooltip text={label} isName>
      {link}
    </Tooltip>
  ) : (
    link
  );
}

const COUNT_INTERVAL_MS = 2000;
const COMING_OR_GOING = /(?:Added|Removed)$/;

/** How many records the open page's resource has in all, whatever its filters. */
function Count({ of: name }: { of: string }) {
  const resource = findResource(name);
  const { company_id: companyId } = useUser();
  const { query } = useList({
    resource: name,
    pagination: { currentPage: 1, pageSize: 1 },
    meta: { query: { fields: 'id' } },
    queryOptions: { enabled: resource !== undefined },
    errorNotification: false,
  });
  const { refetch } = query;
  const data = query.data?.total;
  const channel = resource?.live?.channel.replace('{company_id}', String(companyId));
  useEffect(() => {
    if (channel === undefined) return;
    const counts = collect(() => void refetch(), COUNT_INTERVAL_MS);
    const stop = live.follow(channel, {
      onEvent: (event) => (COMING_OR_GOING.test(event) ? counts.add(event) : undefined),
      onFollowed: () => counts.add('followed'),
    });
    return () => {
      stop();
      counts.stop();
    };
  }, [channel, refetch]);
  return data === undefined ? null : <span className={styles.count}>{formatNumber(data)}</span>;
}
