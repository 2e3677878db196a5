import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { DaysCard } from './DaysCard.tsx';

interface Day {
  day: string;
  devices: number;
  online: number;
  users: number;
}

/** Devices, devices online and users of a company and all below it, day by day. */
export function CompanyDays({ id }: { id: number }) {
  const t = useT();
  return (
    <DaysCard<Day>
      title={t('companies.page.days')}
      path={`/companies/${id}/days`}
      none={t('companies.page.noDays')}
      columns={[
        { title: t('resources.devices.title'), value: (row) => row.devices, format: formatNumber },
        { title: t('values.device.status.1'), value: (row) => row.online, format: formatNumber },
        { title: t('resources.users.title'), value: (row) => row.users, format: formatNumber },
      ]}
    />
  );
}
