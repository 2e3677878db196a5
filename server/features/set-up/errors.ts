import { defineError } from '../../kernel/errors.ts';

export const SetUpDone = defineError('SET_UP_DONE');
export const WrongSetUpToken = defineError('WRONG_SET_UP_TOKEN');
