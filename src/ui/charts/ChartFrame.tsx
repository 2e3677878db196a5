import { useState, type ReactNode, type RefObject } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Button } from '../Button.tsx';
import { Segmented } from '../Segmented.tsx';
import { readColors } from './colors.ts';
import { saveCsv, savePng } from './download.ts';
import type { PlotHandle } from './types.ts';
import styles from './charts.module.css';

export interface ChartTable {
  /** The heading of the first column, and of the others. */
  head: readonly string[];
  /** Words as they are shown; a row begins with what it is about. */
  rows: readonly (readonly string[])[];
}

interface ChartFrameProps {
  label: string;
  /** Without ending. */
  fileName: string;
  plot: RefObject<PlotHandle | null>;
  isZoomed: boolean;
  /** Made when it is looked at: words of thousands of numbers take longer than drawing them. Left out where the same numbers are beside the chart anyway. */
  table?: () => ChartTable;
  /** What a CSV file gets: plain numbers. */
  csv(): (string | number | null)[][];
  children: ReactNode;
}

/** What is around a chart: the same as a table, its files, and the way back from a zoom. */
export function ChartFrame({ label, fileName, plot, isZoomed, table, csv, children }: ChartFrameProps) {
  const t = useT();
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const handlePng = () => {
    const canvas = plot.current?.canvas();
    if (canvas) savePng(canvas, readColors().card, fileName);
  };
  return (
    <figure className={styles.frame} aria-label={label}>
      <div className={styles.tools}>
        {table ? (
          <Segmented<'chart' | 'table'>
            label={t('charts.view')}
            value={view}
            options={[
              { value: 'chart', label: t('charts.chart'), icon: 'chart-column' },
              { value: 'table', label: t('charts.table'), icon: 'list' },
            ]}
            onChange={setView}
          />
        ) : null}
        <span className={styles.files}>
          {isZoomed && view === 'chart' ? (
            <Button size="small" icon="rotate-ccw" onClick={() => plot.current?.reset()}>
              {t('charts.whole')}
            </Button>
          ) : null}
          {view === 'chart' ? (
            <Button size="small" icon="download" onClick={handlePng}>
              {t('charts.png')}
            </Button>
          ) : null}
          <Button size="small" icon="download" onClick={() => void saveCsv(csv(), fileName)}>
            {t('charts.csv')}
          </Button>
        </span>
      </div>
      {table && view === 'table' ? <Rows label={label} table={table()} /> : children}
    </figure>
  );
}

function Rows({ label, table: { head, rows } }: { label: string; table: ChartTable }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls must be reachable without a mouse.
    <div className={styles.rows} role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...others]) => (
            <tr key={first}>
              <th scope="row">{first}</th>
              {others.map((words, index) => (
                <td key={head[index + 1]}>{words}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
