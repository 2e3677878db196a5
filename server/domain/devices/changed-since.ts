import type { ExpressionBuilder } from 'kysely';
import type { Tables } from '../../db/schema.ts';

/** Rows of `device_states` from `start` (ms) on, and the last one before it of each device and name: what it was when the time began. */
export const changedSince =
  (start: number) =>
  ({ eb, or, selectFrom }: ExpressionBuilder<Tables, 'device_states'>) =>
    or([
      eb('at', '>=', start),
      eb(
        'at',
        '=',
        selectFrom('device_states as former')
          .select(({ fn }) => fn.max('former.at').as('at'))
          .whereRef('former.device_id', '=', 'device_states.device_id')
          .whereRef('former.name', '=', 'device_states.name')
          .where('former.at', '<', start),
      ),
    ]);
