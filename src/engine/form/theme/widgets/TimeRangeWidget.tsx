import { useT } from '../../../../kernel/i18n/index.ts';
import { DAY, HOUR, currentTimezone, formatTime, parseLocal, parseWire, toWire } from '../../../../kernel/time/index.ts';
import { Button, DateField, FieldGroup } from '../../../../ui/index.ts';
import { itemText } from '../../item-text.ts';
import { partOf } from './part-errors.ts';
import type { JsonValue } from '../../../../../schemas/kit/form/types.ts';
import styles from '../theme.module.css';
import { baseOf } from '../widget-base.ts';
import type { FormWidgetProps } from '../widgets.ts';

/** The choices at one press: from this long ago until now, or from now on. */
const LENGTHS = [
  { key: 'hour', length: HOUR },
  { key: 'day', length: DAY },
  { key: 'week', length: 7 * DAY },
  { key: 'month', length: 30 * DAY },
] as const;

/** `YYYY-MM-DDTHH:mm:ss`, what the browser's control holds. */
const LOCAL_FORMAT = 'YYYY-MM-DDTHH:mm:ss';

/** A time range `{ from, to }` in wire timestamps (UTC), entered in the user's zone. */
export function TimeRangeWidget(props: FormWidgetProps) {
  const { options, value, control, items: errors, onChange } = props;
  const { disabled, hasAutofocus, onBlur } = baseOf(props);
  const t = useT();
  const range = rangeOf(value);
  const isAhead = options['ahead'] === true;

  function set(end: 'from' | 'to', local: string): void {
    const time = parseLocal(local);
    const { [end]: _before, ...other } = range;
    const next = time === undefined ? other : { ...other, [end]: toWire(time) };
    onChange(Object.keys(next).length === 0 ? undefined : next);
  }

  const ends = (['from', 'to'] as const).map((end, index) => {
    const faults = errors.filter((item) => partOf(item)[0] === end).map((item) => itemText(item, undefined, t));
    const id = index === 0 ? control.id : `${control.id}-${end}`;
    const time = parseWire(range[end]);
    return (
      <div key={end} className={styles.rangeEnd}>
        <label htmlFor={id}>{t(`form.range.${end}`)}</label>
        <DateField
          id={id}
          type="datetime-local"
          value={time === undefined ? '' : formatTime(time, LOCAL_FORMAT)}
          aria-invalid={faults.length > 0 || errors.some((item) => partOf(item).length === 0) || undefined}
          aria-describedby={[control['aria-describedby'], faults.length > 0 && `${id}-fault`].filter(Boolean).join(' ') || undefined}
          aria-required={control['aria-required']}
          disabled={disabled}
          hasAutofocus={index === 0 && hasAutofocus}
          onChange={(local) => set(end, local)}
        />
        {faults.length > 0 ? (
          <p id={`${id}-fault`} className={styles.fault}>
            {faults.join(' ')}
          </p>
        ) : null}
      </div>
    );
  });

  return (
    <FieldGroup control={control} onLeave={onBlur}>
      <div className={styles.range}>{ends}</div>
      <div className={styles.recent}>
        {LENGTHS.map(({ key, length }) => (
          <Button key={key} size="small" disabled={disabled} onClick={() => onChange(rangeFromNow(isAhead ? length : -length))}>
            {t(isAhead ? `form.range.ahead.${key}` : `form.range.${key}`)}
          </Button>
        ))}
        <span className={styles.zone}>{t('form.range.zone', { zone: currentTimezone() })}</span>
      </div>
    </FieldGroup>
  );
}

/** The time between now and this much later, or earlier, in wire timestamps. */
function rangeFromNow(milliseconds: number): { from: string; to: string } {
  const ends = [Date.now(), Date.now() + milliseconds];
  return { from: toWire(Math.min(...ends)), to: toWire(Math.max(...ends)) };
}

function rangeOf(value: JsonValue | undefined): { from?: string; to?: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const { from, to } = value;
  return { ...(typeof from === 'string' ? { from } : {}), ...(typeof to === 'string' ? { to } : {}) };
}
