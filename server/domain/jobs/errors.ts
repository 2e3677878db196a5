import { defineError } from '../../kernel/errors.ts';

export const JobAlreadyRunning = defineError('JOB_ALREADY_RUNNING');
export const NotWaiting = defineError('NOT_WAITING');
export const NothingToRetry = defineError('NOTHING_TO_RETRY');
