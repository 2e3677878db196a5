import type { DeviceVerb } from '../../edges/mqtt/types.ts';
import type { DeviceStep } from './types.ts';

/** What a device has for a change: for applying it, for its interfaces to come up, and for putting the former settings back where one does not. */
const CHANGE_SECONDS = 240;
const CONFIRM_SECONDS = 60;
/** How long a device may be away beside the time to confirm in. */
const AWAY_SECONDS = 60;

interface ConfirmedChange {
  name: string;
  verb: DeviceVerb;
  body: string;
  /** So long the device waits for the confirmation before it goes back by itself. */
  confirmSeconds: number;
  /** What is done once the change is confirmed. */
  then?: readonly DeviceStep[];
}

/** The steps of a change of settings: made, confirmed in a session that was opened after it, and undone by the device itself without that. */
export function confirmedSteps({ confirmSeconds, then = [], ...change }: ConfirmedChange): [DeviceStep, ...DeviceStep[]] {
  const away = confirmSeconds + AWAY_SECONDS;
  const time = { timeoutSeconds: CHANGE_SECONDS, waitSeconds: CHANGE_SECONDS + away };
  return [
    { ...change, ...time, body: `confirm_seconds=${confirmSeconds}\n${change.body}`, endsInNewSession: true },
    { name: 'confirm', verb: 'confirm', timeoutSeconds: CONFIRM_SECONDS, waitSeconds: away, body: 'required=1\n' },
    ...then,
    { name: 'rollback', verb: 'rollback', ...time, body: '', when: 'failed' },
  ];
}
