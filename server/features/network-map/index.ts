import { requireDevice } from '../../domain/devices/require-device.ts';
import { ok } from '../../kernel/answer.ts';
import { NotFound } from '../../kernel/errors.ts';
import { idParams } from '../../kernel/ids.ts';
import { route, type App } from '../../kernel/route.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { readNetworkMap } from './read-map.ts';

/** Devices of a site on one map. */
const MOST_DEVICES = 500;

/** The room of the networks behind devices, as maps. */
export function registerNetworkMap(app: App): void {
  route(app, {
    method: 'GET',
    path: '/devices/:id/network-map',
    access: { permission: 'view_devices' },
    summary: 'The network behind a device: ports, hosts, Wi-Fi clients and VPN, and what is otherwise than a day ago.',
    tag: 'devices',
    params: idParams,
    cost: 'figures',
    async handler({ ctx, actor, params }) {
      const device = await requireDevice(ctx.reads, actor, params.id);
      return ok(await readNetworkMap(ctx, actor, { rows: [device], routerId: device.id, title: device.name }));
    },
  });
  route(app, {
    method: 'GET',
    path: '/sites/:id/network-map',
    access: { permission: 'view_devices' },
    summary:
      'The network of a site: which device is behind which, their ports, hosts, Wi-Fi clients and VPN, and what is otherwise than a day ago.',
    tag: 'sites',
    params: idParams,
    cost: 'figures',
    async handler({ ctx, actor, params }) {
      const site = await ctx.reads
        .selectFrom('sites')
        .select(['name', 'router_id'])
        .where('sites.id', '=', params.id)
        .where(isVisible(actor, 'sites'))
        .executeTakeFirst();
      if (!site) throw new NotFound({});
      const rows = await ctx.reads
        .selectFrom('device_sites')
        .innerJoin('devices', 'devices.id', 'device_sites.device_id')
        .select(['devices.id', 'devices.name', 'devices.status', 'devices.mac'])
        .where('device_sites.site_id', '=', params.id)
        .where(isVisible(actor, 'devices'))
        .orderBy('devices.id')
        .limit(MOST_DEVICES)
        .execute();
      const routerId = rows.some(({ id }) => id === site.router_id) ? site.router_id : null;
      return ok(await readNetworkMap(ctx, actor, { rows, routerId, title: site.name }));
    },
  });
}
