import { chooseTimezone, currentTimezone, isTimezone } from '../time/index.ts';
import { settings } from './index.ts';

const KEY = 'timezone';
/** The zone of whatever machine the user sits at. */
const OF_THE_MACHINE = 'auto';

/** Keeps the user's zone for their other browsers; throws `ApiError`. */
export function keepTimezone(zone: string | undefined): Promise<void> {
  return settings.set(KEY, zone ?? OF_THE_MACHINE);
}

/** Brings the zone that the user chose in another browser into this one, before anything is drawn. */
export function adoptTimezone(): void {
  const kept = settings.get(KEY);
  if (kept === OF_THE_MACHINE) chooseTimezone(undefined);
  else if (typeof kept === 'string' && kept !== currentTimezone() && isTimezone(kept)) chooseTimezone(kept);
}
