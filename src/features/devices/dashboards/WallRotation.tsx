import { useList } from '@refinedev/core';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { Dashboard } from '../../../../schemas/_generated/contract.ts';
import type { ApiError } from '../../../kernel/http/index.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import { SECOND } from '../../../kernel/time/index.ts';
import { FieldFrame, Select } from '../../../ui/index.ts';
import { intervalWords, readVariables, ROTATIONS } from './variables.ts';

/** On a wall, the next dashboard of the fleet after so many seconds; the choice is in the address, so that a screen keeps it. */
export function WallRotation({ id }: { id: number }) {
  const t = useT();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const { rotation } = readVariables(search);
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
    if (rotation === 0 || next === undefined || next === id) return;
    const timer = setTimeout(() => void navigate(`/management/dashboards/${next}?${text}`, { replace: true }), rotation * SECOND);
    return () => clearTimeout(timer);
  }, [rotation, next, id, text, navigate]);
  return (
    <FieldFrame label={t('dashboards.wall.next')}>
      {({ id: control }) => (
        <Select
          id={control}
          value={rotation}
          choices={ROTATIONS.map((seconds) => ({ value: seconds, label: intervalWords(t, seconds) }))}
          onChange={(seconds) =>
            setSearch((former) => {
              former.set('rotation', String(seconds));
              return former;
            })
          }
        />
      )}
    </FieldFrame>
  );
}
