import { useList } from '@refinedev/core';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { Dashboard } from '../../../../schemas/_generated/contract.ts';
import type { ApiError } from '../../../kernel/http/index.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import { SECOND } from '../../../kernel/time/index.ts';
import { FieldFrame, Select } from '../../../ui/index.ts';
import { readVariables, TURNS } from './variables.ts';

const MINUTE = 60;

/** On a wall, the next dashboard of the fleet after so many seconds; the choice is in the address, so that a screen keeps it. */
export function Turning({ id }: { id: number }) {
  const t = useT();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const { turn } = readVariables(search);
  const text = search.toString();
  const { query } = useList<Dashboard, ApiError>({
    resource: 'dashboards',
    filters: [{ field: 'kind', operator: 'eq', value: 'fleet' }],
    pagination: { pageSize: 100 },
    errorNotification: false,
  });
  const list = query.data?.data ?? [];
  const next = list[(list.findIndex((one) => one.id === id) + 1) % Math.max(1, list.length)]?.id;
  useEffect(() => {
    if (turn === 0 || next === undefined || next === id) return;
    const timer = setTimeout(() => void navigate(`/management/dashboards/${next}?${text}`, { replace: true }), turn * SECOND);
    return () => clearTimeout(timer);
  }, [turn, next, id, text, navigate]);
  const words = (seconds: number): string => {
    if (seconds === 0) return t('dashboards.refresh.never');
    return seconds < MINUTE
      ? t('dashboards.refresh.seconds', { count: seconds })
      : t('dashboards.refresh.minutes', { count: seconds / MINUTE });
  };
  return (
    <FieldFrame label={t('dashboards.wall.next')}>
      {({ id: control }) => (
        <Select
          id={control}
          value={turn}
          choices={TURNS.map((seconds) => ({ value: seconds, label: words(seconds) }))}
          onChange={(seconds) =>
            setSearch((former) => {
              former.set('turn', String(seconds));
              return former;
            })
          }
        />
      )}
    </FieldFrame>
  );
}
