import { useT } from '../../kernel/i18n/index.ts';
import { SECOND } from '../../kernel/time/index.ts';
import { Card, cx, SmallTable, type TimeRange } from '../../ui/index.ts';
import devices from './devices.module.css';
import styles from './state-bars.module.css';

/** What a text was from one moment to another, Unix seconds. */
export interface States {
  metric: string;
  spans: [number, number, string][];
}

interface StateBarsProps {
  states: readonly States[];
  /** Unix seconds. */
  start: number;
  end: number;
  range: TimeRange | null;
  nameOf(metric: string): string;
  timeOf(time: number): string;
}

const PAINTS = [styles.first, styles.second, styles.third, styles.fourth, styles.fifth];
/** Percent of the width that a word needs, about. */
const ROOM_FOR_WORDS = 9;

/** Texts over time, a bar for each: its pieces are as long as the text stayed so. The table below says the same in words. */
function StateBars({ states, start, end, range, nameOf, timeOf }: StateBarsProps) {
  const from = range ? Math.max(start, range.from / SECOND) : start;
  const to = range ? Math.min(end, range.to / SECOND) : end;
  const width = Math.max(1, to - from);
  return (
    <div className={styles.bars}>
      {states
        .filter(({ spans }) => spans.length > 0)
        .map(({ metric, spans }) => {
          const words = [...new Set(spans.map(([, , value]) => value))];
          return (
            <div key={metric} className={styles.row}>
              <span className={styles.name}>{nameOf(metric)}</span>
              <div className={styles.bar} role="img" aria-label={`${nameOf(metric)}: ${words.join(', ')}`}>
                {spans
                  .filter(([begins, ends]) => ends > from && begins < to)
                  .map(([begins, ends, value]) => {
                    const left = ((Math.max(begins, from) - from) / width) * 100;
                    const size = ((Math.min(ends, to) - Math.max(begins, from)) / width) * 100;
                    return (
                      <span
                        key={begins}
                        className={cx(styles.piece, PAINTS[words.indexOf(value) % PAINTS.length])}
                        style={{ insetInlineStart: `${left}%`, inlineSize: `${size}%` }}
                        title={`${value}: ${timeOf(begins * SECOND)} – ${timeOf(ends * SECOND)}`}
                      >
                        {size > ROOM_FOR_WORDS ? value : null}
                      </span>
                    );
                  })}
              </div>
            </div>
          );
        })}
      <div className={styles.axis}>
        <span>{timeOf(from * SECOND)}</span>
        <span>{timeOf(to * SECOND)}</span>
      </div>
    </div>
  );
}

interface StatesCardProps extends Omit<StateBarsProps, 'start' | 'end'> {
  /** Those that are drawn, not only listed. */
  drawn: ReadonlySet<string>;
  period: { start: number; end: number };
}

/** Texts with the time from when to when they were so: as bars, and as a table, newest first. */
export function StatesCard({ states, drawn, period, range, nameOf, timeOf }: StatesCardProps) {
  const t = useT();
  const rows = states
    .flatMap(({ metric, spans }) => spans.map(([from, to, value]) => ({ metric, from, to, value })))
    .toSorted((a, b) => b.from - a.from);
  if (rows.length === 0) return null;
  return (
    <Card title={t('devices.states.title')}>
      <StateBars
        states={states.filter(({ metric }) => drawn.has(metric))}
        start={period.start}
        end={period.end}
        range={range}
        nameOf={nameOf}
        timeOf={timeOf}
      />
      <SmallTable
        className={devices.numbers}
        columns={[
          { key: 'what', title: t('devices.states.what'), render: ({ metric }: (typeof rows)[number]) => nameOf(metric) },
          { key: 'value', title: t('devices.states.value'), render: ({ value }: (typeof rows)[number]) => value },
          { key: 'from', title: t('devices.states.from'), render: ({ from }: (typeof rows)[number]) => timeOf(from * SECOND) },
          { key: 'to', title: t('devices.states.to'), render: ({ to }: (typeof rows)[number]) => timeOf(to * SECOND) },
        ]}
        rows={rows}
        keyOf={({ metric, from }) => `${metric} ${from}`}
      />
    </Card>
  );
}
