import type { RemoteEntry, RemoteSession } from '../../../schemas/_generated/contract.ts';
import type { JsonSchema } from '../../../schemas/kit/form/types.ts';
import { MQTT_LEVEL } from '../../domain/devices/mqtt-level.ts';
import { SECOND } from '../../kernel/clock.ts';
import { momentOf } from '../../kernel/moments.ts';
import type { ListSpec } from '../../kernel/route.ts';
import { isVisible } from '../../kernel/tenancy.ts';

/** Entries as programs of the public API read them. */
export const documentedEntries: NonNullable<ListSpec<RemoteEntry>['documented']> = {
  fields: ['device_description', 'mqtt'],
  types: {
    is_main: { type: 'boolean' },
    credentials_required: { type: 'boolean' },
    device_description: { type: ['string', 'null'] },
    mqtt: { type: 'integer', description: 'The protocol level of MQTT, by which every device is connected.' },
  },
  async extend(ctx, actor, rows) {
    if (rows.length === 0) return [];
    const devices = await ctx.reads
      .selectFrom('devices')
      .select(['id', 'description'])
      .where('id', 'in', ctx.database.tools.idList(rows.map(({ device_id }) => device_id)))
      .where(isVisible(actor, 'devices'))
      .execute();
    const descriptions = new Map(devices.map(({ id, description }) => [id, description || null]));
    return rows.map((entry) => ({
      ...entry,
      is_main: entry.is_main === 1,
      credentials_required: entry.credentials_required === 1,
      device_description: descriptions.get(entry.device_id) ?? null,
      mqtt: MQTT_LEVEL,
    }));
  },
};

const seconds: JsonSchema = { type: 'integer', description: 'Unix seconds.' };
export const sessionTypes: Readonly<Record<string, JsonSchema>> = {
  start_time: seconds,
  end_time: { ...seconds, type: ['integer', 'null'] },
  url: { type: 'string', description: 'The page that opens a session to the entry.' },
  ttl: { type: 'integer', description: 'Seconds that the session is open for; 0 once it has ended.' },
};

const toSeconds = (wireTime: string): number => momentOf(wireTime) / SECOND;

/** A session through an entry as programs of the public API read it. `url`: of the entry. */
export function documentSession({ start_time, end_time, ...session }: RemoteSession, { url, now }: { url: string; now: number }) {
  return {
    ...session,
    start_time: toSeconds(start_time),
    end_time: end_time === null ? null : toSeconds(end_time),
    url,
    ttl: end_time === null ? Math.max(0, toSeconds(session.ends_at) - Math.floor(now / SECOND)) : 0,
  };
}
