import { useCustom } from '@refinedev/core';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { subscribeAddedForms } from '../../engine/form/added-forms.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Banner } from '../../ui/index.ts';

interface Problem {
  path: string;
  health: 'broken' | 'unusable';
  version: number | null;
  findings: { line: number; column: number; message: string }[];
}

const SHOWN = 3;

/** Shows form administrators the faults in the folder of custom forms (docs/checks.md G1). */
export function FormsNotice() {
  const can = useCan();
  return can('manage_forms') ? <FolderNotice /> : null;
}

function FolderNotice() {
  const t = useT();
  const { query } = useCustom<Problem[], ApiError>({
    url: '/forms/health',
    method: 'get',
    meta: { survivesRouteChange: true },
    errorNotification: false,
  });
  const { refetch } = query;
  const data = query.data?.data ?? [];
  // The list is loaded again with each change of a file, also of one that stays the same for those who use it.
  useEffect(() => subscribeAddedForms(() => void refetch()), [refetch]);
  if (data.length === 0) return null;
  return (
    <Banner kind="warn" isWide title={t('forms.broken', { count: data.length })}>
      <ul>
        {data.slice(0, SHOWN).map(({ path, version, findings: [first] }) => (
          <li key={path}>
            <Place path={path} place={first ? `${path}:${first.line}:${first.column}` : path} /> {first?.message}{' '}
            {version === null ? t('forms.broken_unusable') : t('forms.broken_kept', { version })}
          </li>
        ))}
      </ul>
    </Banner>
  );
}

/** Where the mistake is; leads to the studio when the file's name is that of a form. */
function Place({ path, place }: { path: string; place: string }) {
  // `ops/set-apn.form.json`
  const [, id] = /^([a-z0-9-]+\/[a-z0-9-]+)\.form\.json$/.exec(path) ?? [];
  const words = <code>{place}</code>;
  return id === undefined ? words : <Link to={`/forms/edit/${id}`}>{words}</Link>;
}
