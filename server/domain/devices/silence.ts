import { VPN_CONNECTED } from '../../../schemas/kit/form/rule-parameters.ts';

interface HeldCondition {
  parameter: string;
  operator: string;
  actual: number | string | null;
}

/**
 * Whether conditions that held say that a device is silent: it is offline, has gone, or does not report something. That is what the silence of the router before it
 * explains; another fault of the device is none of it. Where no condition held, as in an `else`, the device being offline says it.
 */
export function isAboutSilence(held: readonly HeldCondition[], isOffline: boolean): boolean {
  if (held.length === 0) return isOffline;
  return held.some(
    ({ parameter, operator, actual }) =>
      operator === 'missing' ||
      (parameter === 'status' && actual === 'offline') ||
      (parameter === VPN_CONNECTED && actual === 'no') ||
      (parameter === 'event' && String(actual).split('\n').includes('disconnected')),
  );
}
