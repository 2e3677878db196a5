import { useSearchParams } from 'react-router';
import type { DashboardKind } from '../../../../schemas/kit/resources/dashboards.ts';
import { LookupSelect } from '../../../engine/form/LookupSelect.tsx';
import { useT } from '../../../kernel/i18n/index.ts';
import { useCan } from '../../../kernel/session/index.ts';
import { FieldFrame, Select } from '../../../ui/index.ts';
import { DAYS, intervalWords, readVariables, REFRESHES } from './variables.ts';

interface ChoiceProps {
  lookup: 'companies' | 'tags' | 'sites';
  label: string;
  value: number | undefined;
  onChange(id: number | undefined): void;
}

function LookupChoice(props: ChoiceProps) {
  const t = useT();
  return (
    <FieldFrame label={props.label}>{(control) => <LookupSelect {...control} {...props} placeholder={t('dashboards.any')} />}</FieldFrame>
  );
}

/** What all widgets of a dashboard follow: company, tag, period, and how often they are read. It is in the address. */
export function Variables({ kind }: { kind: DashboardKind }) {
  const t = useT();
  const can = useCan();
  const [search, setSearch] = useSearchParams();
  const { companyId, tagId, siteId, days, refresh } = readVariables(search);
  const set = (name: string, value: number | undefined): void =>
    setSearch(
      (former) => {
        if (value === undefined) former.delete(name);
        else former.set(name, String(value));
        return former;
      },
      { replace: true },
    );
  return (
    <>
      {kind === 'fleet' && can('view_companies') ? (
        <LookupChoice lookup="companies" label={t('fields.company_id')} value={companyId} onChange={(id) => set('company_id', id)} />
      ) : null}
      {kind === 'fleet' && can('view_tags') ? (
        <LookupChoice lookup="tags" label={t('fields.tag_id')} value={tagId} onChange={(id) => set('tag_id', id)} />
      ) : null}
      {kind === 'fleet' && can('view_sites') ? (
        <LookupChoice lookup="sites" label={t('fields.site_id')} value={siteId} onChange={(id) => set('site_id', id)} />
      ) : null}
      <FieldFrame label={t('readings.period')}>
        {({ id }) => (
          <Select
            id={id}
            value={days}
            choices={DAYS.map((count) => ({ value: count, label: t('readings.days', { count }) }))}
            onChange={(count) => set('days', count)}
          />
        )}
      </FieldFrame>
      <FieldFrame label={t('dashboards.refresh')}>
        {({ id }) => (
          <Select
            id={id}
            value={refresh}
            choices={REFRESHES.map((seconds) => ({ value: seconds, label: intervalWords(t, seconds) }))}
            onChange={(seconds) => set('refresh', seconds)}
          />
        )}
      </FieldFrame>
    </>
  );
}
