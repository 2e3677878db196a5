import { defineError } from '../../kernel/errors.ts';

export const NotWaiting = defineError('NOT_WAITING');
