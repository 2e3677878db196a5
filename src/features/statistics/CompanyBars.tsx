import { useCustom } from '@refinedev/core';
import { useMemo } from 'react';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { BarChart, Card } from '../../ui/index.ts';

type Figures = { company_name: string } & Record<string, number>;

export interface Comparison {
  path: string;
  sort: string;
  title: 'devices' | 'users' | 'online';
  value(figures: Figures): number;
  isPercent?: boolean;
}

const MOST_BARS = 6;
const HEIGHT = 172;

const percent = (value: number): string => `${formatNumber(value)} %`;

/** The companies with the highest figures, as bars; nothing while none has any. */
export function CompanyBars({ path, sort, title, value, isPercent = false }: Comparison) {
  const t = useT();
  const { query } = useCustom<Figures[], ApiError>({
    url: path,
    method: 'get',
    config: { query: { limit: MOST_BARS, sort } },
    // The list below says what went wrong.
    errorNotification: false,
  });
  const rows = query.data?.data;
  const bars = useMemo(
    () =>
      (rows ?? [])
        .map((row) => ({ label: row.company_name, value: value(row), color: 'accent' as const }))
        .filter((bar) => Number.isFinite(bar.value) && (isPercent || bar.value > 0)),
    [rows, value, isPercent],
  );
  const name = t(`statistics.chart.${title}`);
  if (bars.length === 0) return null;
  return (
    <Card title={name}>
      <BarChart label={name} fileName={name} bars={bars} format={isPercent ? percent : formatNumber} height={HEIGHT} hasTableBeside />
    </Card>
  );
}
