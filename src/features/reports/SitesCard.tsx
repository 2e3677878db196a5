import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { Card, SmallTable } from '../../ui/index.ts';
import { siteColumns, type ReportContent, type SiteStat } from './report-words.ts';
import styles from './reports.module.css';

/** The figures of a report by site, where devices have one. */
export function SitesCard({ report: { site_stats: sites, parameters } }: { report: ReportContent }) {
  const t = useT();
  const columns = siteColumns(parameters);
  if (sites.length === 0 || columns.length === 0) return null;
  return (
    <Card title={t('reports.by_site')}>
      <div className={styles.wide}>
        <SmallTable
          hasRowNames
          label={t('reports.by_site')}
          columns={[
            { key: 'name', title: t('reports.site'), render: ({ name }: SiteStat) => name },
            { key: 'company', title: t('fields.company_name'), render: ({ company_name: company }: SiteStat) => company },
            { key: 'devices', title: t('reports.devices'), render: ({ devices_count: count }: SiteStat) => formatNumber(count) },
            ...columns.map(({ key, title, read }) => ({ key, title, render: read })),
          ]}
          rows={sites}
          keyOf={({ name, company_name: company }) => `${company} ${name}`}
        />
      </div>
    </Card>
  );
}
