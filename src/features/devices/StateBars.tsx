import { SECOND } from '../../kernel/time/index.ts';
import { cx, type TimeRange } from '../../ui/index.ts';
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
export function StateBars({ states, start, end, range, nameOf, timeOf }: StateBarsProps) {
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
