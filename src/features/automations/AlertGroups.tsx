import { useCustom } from '@refinedev/core';
import { keepPreviousData } from '@tanstack/react-query';
import type { Alert } from '../../../schemas/_generated/contract.ts';
import type { StripProps } from '../../engine/resources/registry.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { PressArea, StatusMark } from '../../ui/index.ts';
import styles from './alert-groups.module.css';

interface Group extends Pick<Alert, 'name' | 'severity'> {
  count: number;
  silenced: number;
}

const MARKS = { critical: 'bad', warning: 'warn', info: 'info' } as const;

/** Open alerts by what they are called, with the number of each; one chosen is a filter of the list below. */
export default function AlertGroups({ filters, query, onFilter, loadedAt }: StripProps) {
  const t = useT();
  // What else could be chosen keeps its number.
  const { name: _name, ...others } = query;
  const { query: groups } = useCustom<Group[], ApiError>({
    url: '/alerts/groups',
    method: 'get',
    config: { query: others },
    // Read again with each load of the list.
    meta: { loadedAt },
    queryOptions: { placeholderData: keepPreviousData },
    errorNotification: false,
  });
  const chosen = filters.find(({ key, negated }) => key === 'name' && !negated)?.values.map(String) ?? [];
  const rows = groups.data?.data ?? [];
  if (rows.length === 0) return null;
  return (
    <ul className={styles.groups} aria-label={t('automations.groups')}>
      {rows.map(({ name, severity, count, silenced }) => {
        const isChosen = chosen.includes(name);
        return (
          <li key={`${severity} ${name}`}>
            <PressArea className={styles.group} isPressed={isChosen} onClick={() => onFilter('name', isChosen ? [] : [name])}>
              <StatusMark kind={MARKS[severity]}>{t(`values.alert.severity.${severity}`)}</StatusMark>
              <span className={styles.name}>{name}</span>
              <strong>{formatNumber(count)}</strong>
              {silenced > 0 ? <span className={styles.quiet}>{t('automations.groups.silenced', { count: silenced })}</span> : null}
            </PressArea>
          </li>
        );
      })}
    </ul>
  );
}
