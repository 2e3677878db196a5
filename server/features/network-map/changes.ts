import type { HostChange } from '../../../schemas/kit/devices/network-map.ts';
import type { Db, Row } from '../../db/schema.ts';
import type { DialectTools } from '../../db/dialect.ts';
import { wireTime } from '../../kernel/clock.ts';

type HostRow = Row<'device_hosts'>;

/** What is otherwise with a host than at `since`; undefined for nothing. */
function changeOf(row: HostRow, since: number): { kind: HostChange['kind']; at: number } | undefined {
  const { first_seen_at: first, gone_at: gone, changed_at: changed } = row;
  const isNew = first !== null && first > since;
  // Who came and went since then was not there before either.
  if (gone !== null) return gone > since && !isNew ? { kind: 'gone', at: gone } : undefined;
  if (isNew) return { kind: 'new', at: first };
  if (changed === null || changed <= since) return undefined;
  if (row.former_port !== null && row.former_port !== row.port) return { kind: 'moved', at: changed };
  if (row.former_ip !== null && row.former_ip !== row.ip) return { kind: 'address', at: changed };
  return undefined;
}

/** What is otherwise in the networks of these devices than at `since`, newest first. A host that several devices see is there once. */
export async function readChanges(
  { db, tools }: { db: Db; tools: DialectTools },
  { names, since, homes }: { names: ReadonlyMap<number, string>; since: number; homes: ReadonlyMap<string, number> },
): Promise<HostChange[]> {
  const rows = await db
    .selectFrom('device_hosts')
    .selectAll()
    .where('device_id', 'in', tools.idList([...names.keys()]))
    .where((is) => is.or([is('first_seen_at', '>', since), is('gone_at', '>', since), is('changed_at', '>', since)]))
    .execute();
  const found = new Map<string, { at: number; change: HostChange }>();
  for (const row of rows) {
    const what = changeOf(row, since);
    if (!what) continue;
    // Somewhere else it is still there, or is told by the device that it is below.
    const home = homes.get(row.mac);
    if (home !== undefined && home !== row.device_id) continue;
    if (found.has(row.mac)) continue;
    const { device_id, mac, ip, port, former_ip, former_port } = row;
    const change: HostChange = {
      kind: what.kind,
      device_id,
      device_name: names.get(device_id) ?? '',
      mac,
      name: row.name ?? '',
      ip,
      port,
      former_ip: what.kind === 'new' || what.kind === 'gone' ? null : former_ip,
      former_port: what.kind === 'new' || what.kind === 'gone' ? null : former_port,
      at: wireTime(what.at),
    };
    found.set(mac, { at: what.at, change });
  }
  return [...found.values()].toSorted((a, b) => b.at - a.at).map(({ change }) => change);
}
