import { useId, useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { currentTimezone, DAY, formatTime, HOUR, parseLocal, toWire } from '../../kernel/time/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { Select, TextInput } from '../../ui/index.ts';
import { bothClocks } from './job-words.ts';
import styles from './jobs.module.css';
import type { Schedule } from './start-job.ts';

const WAITS_SECONDS: readonly number[] = [1, 8, 24, 7 * 24].map((hours) => hours * 3600);
const MOST_AHEAD = 90 * DAY; // docs/behaviour.md section 7
const INPUT_FORMAT = 'YYYY-MM-DDTHH:mm';

interface ScheduleChoiceProps {
  schedule: Schedule;
  /** Devices do it, so it can wait for those that are offline. */
  canWait: boolean;
  /** `undefined`: what is entered is no time that a job can begin at. */
  onChange: (schedule: Schedule | undefined) => void;
}

/** When a job begins, by the user's clock with UTC beside it, and how long it waits for devices that are offline. */
export function ScheduleChoice({ schedule, canWait, onChange }: ScheduleChoiceProps) {
  const t = useT();
  const id = useId();
  const [text, setText] = useState<string>();
  const at = text === undefined ? undefined : parseLocal(text);
  const [isWrong, setWrong] = useState(false);

  function handleTime(next: string | undefined): void {
    const time = next === undefined ? undefined : parseLocal(next);
    const isRefused = next !== undefined && (time === undefined || !isPossible(time));
    setText(next);
    setWrong(isRefused);
    onChange(isRefused ? undefined : { ...schedule, starts_at: time === undefined ? undefined : toWire(time) });
  }

  return (
    <div className={styles.waves}>
      <label htmlFor={`${id}-begin`}>{t('jobs.schedule.begin')}</label>
      <Select
        id={`${id}-begin`}
        value={text === undefined ? 'now' : 'later'}
        choices={[
          { value: 'now', label: t('jobs.schedule.now') },
          { value: 'later', label: t('jobs.schedule.later') },
        ]}
        onChange={(begin) => handleTime(begin === 'now' ? undefined : formatTime(nextHour(), INPUT_FORMAT))}
      />
      {text === undefined ? null : (
        <>
          <label htmlFor={`${id}-at`}>{t('jobs.schedule.at', { zone: currentTimezone() })}</label>
          <span>
            <TextInput
              id={`${id}-at`}
              type="datetime-local"
              value={text}
              isInvalid={isWrong}
              aria-describedby={`${id}-hint`}
              onChange={(event) => handleTime(event.target.value)}
            />
            <span id={`${id}-hint`} role="status" className={isWrong ? styles.fault : styles.quiet}>
              {isWrong || at === undefined ? t('jobs.schedule.past') : bothClocks(at)}
            </span>
          </span>
        </>
      )}
      {canWait ? (
        <>
          <label htmlFor={`${id}-wait`}>{t('jobs.schedule.offline')}</label>
          <Select
            id={`${id}-wait`}
            value={schedule.wait_seconds ?? 0}
            disabled={isWrong}
            choices={[
              { value: 0, label: t('jobs.schedule.skip') },
              ...WAITS_SECONDS.map((seconds) => ({
                value: seconds,
                label: t('jobs.schedule.wait', { time: formatDuration(seconds * 1000) }),
              })),
            ]}
            onChange={(seconds) => onChange({ ...schedule, wait_seconds: seconds || undefined })}
          />
        </>
      ) : null}
    </div>
  );
}

function isPossible(time: number): boolean {
  const now = Date.now();
  return time > now && time <= now + MOST_AHEAD;
}

function nextHour(): number {
  return Math.ceil((Date.now() + HOUR / 2) / HOUR) * HOUR;
}
