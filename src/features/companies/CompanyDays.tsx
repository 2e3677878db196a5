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
      lines={{ all: (row) => row.devices, part: (row) => row.online }}
      columns={[
        { title: t('resources.devices.title'), show: (row) => formatNumber(row.devices) },
        { title: t('values.device.status.1'), show: (row) => formatNumber(row.online) },
        { title: t('resources.users.title'), show: (row) => formatNumber(row.users) },
      ]}
    />
  );
}
