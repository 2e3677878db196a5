import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import { DAY, HOUR, MINUTE } from '../../kernel/clock.ts';

/** Names for groups of a column's values, each with its condition. The groups part the devices: every device is in exactly one. */
export type Buckets = Readonly<Record<string, RawBuilder<SqlBool>>>;

/**
 * Signal strength (RSSI, dBm) in four groups. Common practice for 2G to 5G modems: from -75 everything works, from -90 slower,
 * down to -105 the connection holds now and then; 3GPP TS 27.007 reads -113 or less as no signal, and modems drop out shortly above.
 */
export function signalBuckets(column: Expression<unknown>): Buckets {
  return {
    excellent: sql`${column} >= -75`,
    average: sql`(${column} >= -90 and ${column} < -75)`,
    low: sql`(${column} >= -105 and ${column} < -90)`,
    no_signal: sql`(${column} < -105 or ${column} is null)`,
  };
}

function byNames(column: Expression<unknown>, names: Record<string, readonly string[]>): Buckets {
  const all = Object.values(names).flat();
  return {
    ...Object.fromEntries(Object.entries(names).map(([key, list]) => [key, sql<SqlBool>`${column} in (${sql.join(list)})`])),
    unknown: sql`(${column} is null or ${column} not in (${sql.join(all)}))`,
  };
}

/** Radio generations, from the names that devices report. */
export function connectionBuckets(column: Expression<unknown>): Buckets {
  return byNames(column, {
    '5g': ['5G', '5G-NSA', '5G-SA', 'NR'],
    '4g': ['LTE', '4G', 'CAT-M1', 'NB-IoT'],
    '3g': ['3G', 'WCDMA', 'UMTS', 'HSPA', 'HSPA+'],
    '2g': ['2G', 'GSM', 'GPRS', 'EDGE'],
  });
}

export function networkBuckets(column: Expression<unknown>): Buckets {
  return byNames(column, { home: ['Home'], roaming: ['Roaming'] });
}

export function wanBuckets(column: Expression<unknown>): Buckets {
  return byNames(column, { mobile: ['Mobile'], wifi: ['WiFi'], wired: ['Wired'] });
}

/** How long ago the last report came. The names read "more than … ago" up to the next name, so that the groups do not overlap. */
export function updatedBuckets(column: Expression<unknown>, now: number): Buckets {
  const minutes = now - 5 * MINUTE;
  const hour = now - HOUR;
  const week = now - 7 * DAY;
  return {
    less_than_5_minutes_ago: sql`${column} > ${minutes}`,
    more_than_5_minutes_ago: sql`(${column} <= ${minutes} and ${column} > ${hour})`,
    more_than_1_hour_ago: sql`(${column} <= ${hour} and ${column} > ${week})`,
    more_than_1_week_ago: sql`${column} <= ${week}`,
    never_been_updated: sql`${column} is null`,
  };
}

/** The condition "in one of these groups". */
export function inBuckets(buckets: Buckets, names: readonly string[]): Expression<SqlBool> {
  const parts = names.flatMap((name) => buckets[name] ?? []);
  return parts.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(parts, sql` or `)})`;
}

/** The name of each row's group, as an expression. */
export function bucketName(buckets: Buckets): RawBuilder<string> {
  const cases = Object.entries(buckets).map(([name, condition]) => sql`when ${condition} then ${sql.lit(name)}`);
  return sql<string>`case ${sql.join(cases, sql` `)} end`;
}
