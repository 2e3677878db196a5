import { PageLinks } from '../../engine/table/PageLinks.tsx';
import { StatisticsChart } from './StatisticsChart.tsx';

const PAGES = [
  'company-statistics',
  'people-statistics',
  'online-statistics',
  'unique-devices',
  'month-statistics',
  'connection-log',
  'action-log',
];

/** The pages of the statistics, side by side above each of their lists; figures over time as lines. */
export function StatisticsPages() {
  return (
    <>
      <PageLinks pages={PAGES} words="statistics" />
      <StatisticsChart />
    </>
  );
}
