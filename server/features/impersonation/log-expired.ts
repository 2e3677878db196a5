import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

/** Notes the end of whatever runs no more, however it ended: its session is gone or its time is over. */
export async function logExpired(db: Db, at: number): Promise<void> {
  await db
    .updateTable('impersonation_logs')
    .set({ ended_at: sql<number>`case when expires_at < ${at} then expires_at else ${at} end` })
    .where('ended_at', 'is', null)
    .where(sql<boolean>`session_id not in (select sessions.id from sessions where sessions.absolute_expires_at > ${at})`)
    .execute();
}
