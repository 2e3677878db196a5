import type { Trx } from '../../db/schema.ts';
import type { DetailsReport } from '../../domain/devices/details-report.ts';
import { hostsOf, type SeenHost } from '../../domain/devices/hosts-of.ts';
import { DAY } from '../../kernel/clock.ts';

/** So long a host that is gone is remembered. */
const KEPT_DAYS = 31;
/** Hosts of a device that are remembered: a device that invents new ones all the time fills no database. */
const MOST_REMEMBERED = 1000;

const saysHosts = ({ ports, leases, wireless }: DetailsReport): boolean => ports !== null || leases !== null || wireless !== null;

function isOther(before: SeenHost, now: SeenHost): boolean {
  const hasMoved = before.port !== null && now.port !== null && before.port !== now.port;
  const hasOtherAddress = before.ip !== null && now.ip !== null && before.ip !== now.ip;
  return (
    hasMoved || hasOtherAddress || (before.name ?? now.name) !== (now.name ?? before.name) || (before.port === null && now.port !== null)
  );
}

/** Notes which hosts came, went or changed between two reports of a device. Without a former report all of them were there before. */
export async function storeHosts(
  trx: Trx,
  deviceId: number,
  { former, report, at }: { former: DetailsReport | undefined; report: DetailsReport; at: number },
): Promise<void> {
  if (!saysHosts(report)) return;
  const before = former && saysHosts(former) ? hostsOf(former) : undefined;
  const now = hostsOf(report);
  const gone = [...(before?.keys() ?? [])].filter((mac) => !now.has(mac));
  const news = [...now.values()].filter((host) => {
    const known = before?.get(host.mac);
    return !known || isOther(known, host);
  });
  if (gone.length > 0)
    await trx.updateTable('device_hosts').set({ gone_at: at }).where('device_id', '=', deviceId).where('mac', 'in', gone).execute();
  if (news.length === 0) return;
  const rows = await trx
    .selectFrom('device_hosts')
    .selectAll()
    .where('device_id', '=', deviceId)
    .where(
      'mac',
      'in',
      news.map(({ mac }) => mac),
    ) // prettier-ignore
    .execute();
  const known = new Map(rows.map((row) => [row.mac, row]));
  for (const { mac, ip, name, port } of news) {
    const row = known.get(mac);
    const values = { ip: ip ?? row?.ip ?? null, name: name ?? row?.name ?? null, port: port ?? row?.port ?? null, gone_at: null };
    if (!row) {
      const fresh = { first_seen_at: before ? at : null, changed_at: null, former_ip: null, former_port: null };
      await trx
        .insertInto('device_hosts')
        .values({ device_id: deviceId, mac, ...values, ...fresh })
        .execute();
      continue;
    }
    const isBack = row.gone_at !== null && row.gone_at <= at - DAY;
    const hasChanged = (row.port ?? values.port) !== values.port || (row.ip ?? values.ip) !== values.ip;
    // What it was a day ago stays the one that it is compared with.
    const isFirstChange = row.changed_at === null || row.changed_at <= at - DAY;
    const past = hasChanged ? { changed_at: at, ...(isFirstChange ? { former_ip: row.ip, former_port: row.port } : {}) } : {};
    await trx
      .updateTable('device_hosts')
      .set({ ...values, ...past, ...(isBack ? { first_seen_at: at } : {}) })
      .where('device_id', '=', deviceId)
      .where('mac', '=', mac)
      .execute();
  }
  await forgetOldHosts(trx, deviceId, at);
}

async function forgetOldHosts(trx: Trx, deviceId: number, at: number): Promise<void> {
  const ofDevice = trx.deleteFrom('device_hosts').where('device_id', '=', deviceId).where('gone_at', 'is not', null);
  await ofDevice.where('gone_at', '<', at - KEPT_DAYS * DAY).execute();
  const last = await trx
    .selectFrom('device_hosts')
    .select('gone_at')
    .where('device_id', '=', deviceId)
    .where('gone_at', 'is not', null)
    .orderBy('gone_at', 'desc')
    .offset(MOST_REMEMBERED)
    .limit(1)
    .executeTakeFirst();
  if (last) await ofDevice.where('gone_at', '<=', last.gone_at).execute();
}
