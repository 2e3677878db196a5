import { useEffect, useId, useState } from 'react';
import { failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { findUser } from '../../kernel/session/index.ts';
import { keepTimezone } from '../../kernel/settings/timezone.ts';
import { chooseTimezone, currentTimezone, formatTime, formatUtc, guessedTimezone, SECOND } from '../../kernel/time/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button, Select } from '../../ui/index.ts';
import styles from './SettingsPage.module.css';

// docs/behaviour.md section 9: the page loads again about 300 ms after a change, so that every time on it is in the new zone.
const RELOAD_AFTER_MS = 300;

/** The zone that all times are shown in, with the clock there and in UTC. */
export function TimezoneSetting({ onReload = reloadWithoutDates }: { onReload?(): void }) {
  const t = useT();
  const id = useId();
  const [zone, setZone] = useState(currentTimezone);
  const now = useClock();
  const zones = Intl.supportedValuesOf('timeZone');

  const choose = async (next: string | undefined): Promise<void> => {
    chooseTimezone(next);
    setZone(next ?? guessedTimezone());
    try {
      // Impersonation leaves the settings of the impersonated person alone.
      if (!findUser()?.act) await keepTimezone(next);
      toasts.success(next ? t('account.timezoneUpdated') : t('account.timezoneDefault'));
    } catch (error) {
      toasts.error(failureMessage(error, { fallback: t('account.timezoneNotKept') }));
    }
    setTimeout(onReload, RELOAD_AFTER_MS);
  };
  return (
    <div className={styles.row}>
      <label htmlFor={id} className={styles.label}>
        {t('account.timezone')}
      </label>
      <div className={styles.zone}>
        <div className={styles.zoneControls}>
          <Select
            id={id}
            value={zone}
            choices={(zones.includes(zone) ? zones : [zone, ...zones]).map((name) => ({ value: name, label: name }))}
            onChange={(name) => void choose(name)}
          />
          <Button icon="rotate-ccw" onClick={() => void choose(undefined)}>
            {t('account.timezoneReset')}
          </Button>
        </div>
        <p className={styles.hint}>
          <span className={styles.clock}>
            {t('account.timeThere')} <time dateTime={new Date(now).toISOString()}>{formatTime(now, undefined, zone)}</time>
          </span>{' '}
          <span className={styles.clock}>
            {t('account.timeUtc')} {formatUtc(now)}
          </span>
        </p>
      </div>
    </div>
  );
}

/** Loads the page again without the days that a list was narrowed down to: they were meant in the former zone. */
export function reloadWithoutDates(): void {
  const address = new URL(location.href);
  for (const name of ['start_date', 'end_date']) address.searchParams.delete(name);
  history.replaceState(null, '', address);
  location.reload();
}

function useClock(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, []);
  return now;
}
