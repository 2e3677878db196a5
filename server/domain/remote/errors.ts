import { defineError } from '../../kernel/errors.ts';

export const RemoteBlocked = defineError<{ entry: string }>('REMOTE_BLOCKED');
export const RemoteRefused = defineError<{ address: string }>('REMOTE_ADDRESS_REFUSED');
export const NoDataLeft = defineError<{ company: string }>('REMOTE_NO_DATA');
export const ConsentNeeded = defineError('REMOTE_CONSENT_NEEDED');
export const ConsentWaits = defineError('REMOTE_CONSENT_WAITS');
export const ConsentNotYours = defineError<{ company: string }>('REMOTE_CONSENT_OF_OTHERS');
export const TooManySessions = defineError<{ most: number }>('TOO_MANY_REMOTE_SESSIONS');
export const NoHandler = defineError<{ protocol: string }>('REMOTE_KIND_UNAVAILABLE');
export const RdpMissing = defineError('RDP_PROGRAMS_MISSING');
export const PagesOff = defineError('REMOTE_PAGES_OFF');
export const LinkInvalid = defineError('REMOTE_LINK_INVALID');
