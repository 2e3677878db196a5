import { defineError } from '../../kernel/errors.ts';

export const RemoteBlocked = defineError<{ entry: string }>('REMOTE_BLOCKED');
export const RemoteRefused = defineError<{ address: string }>('REMOTE_ADDRESS_REFUSED');
export const TooManySessions = defineError<{ most: number }>('TOO_MANY_REMOTE_SESSIONS');
export const NoHandler = defineError<{ protocol: string }>('REMOTE_KIND_UNAVAILABLE');
export const LinkInvalid = defineError('REMOTE_LINK_INVALID');
