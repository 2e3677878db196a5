import { formatTime, parseLocal } from '../../../../kernel/time/index.ts';
import { DateField } from '../../../../ui/index.ts';
import { asText, baseOf } from '../widget-base.ts';
import type { FormWidgetProps } from '../widgets.ts';

/** `YYYY-MM-DDTHH:mm:ss`, what the browser's control holds. */
const LOCAL_FORMAT = 'YYYY-MM-DDTHH:mm:ss';

/** A day of the calendar: `YYYY-MM-DD`, without a time and without a zone. */
export function DateWidget(props: FormWidgetProps) {
  return (
    <DateField
      {...baseOf(props)}
      type="date"
      value={asText(props.value)}
      onChange={(next) => props.onChange(next === '' ? undefined : next)}
    />
  );
}

/** A moment, entered in the user's zone and kept in UTC: `2026-11-21T08:41:00.000Z`. */
export function DateTimeWidget(props: FormWidgetProps) {
  const time = Date.parse(asText(props.value));
  return (
    <DateField
      {...baseOf(props)}
      type="datetime-local"
      value={Number.isNaN(time) ? '' : formatTime(time, LOCAL_FORMAT)}
      onChange={(next) => {
        const moment = parseLocal(next);
        props.onChange(moment === undefined ? undefined : new Date(moment).toISOString());
      }}
    />
  );
}

/** A time of the day with its zone, as the schema asks for one: `09:41:00+01:00`. A new one is in the user's zone, a loaded one stays in its own. */
export function TimeWidget(props: FormWidgetProps) {
  const value = asText(props.value);
  const zone = /(?:z|[+-]\d\d(?::?\d\d)?)$/i.exec(value)?.[0];
  return (
    <DateField
      {...baseOf(props)}
      type="time"
      value={value.slice(0, 8)}
      onChange={(next) => props.onChange(next === '' ? undefined : `${next.length === 5 ? `${next}:00` : next}${zone ?? ownZone()}`)}
    />
  );
}

/** How far clocks in the user's zone are ahead of UTC now: `+01:00`. */
function ownZone(): string {
  return formatTime(Date.now(), 'Z');
}
