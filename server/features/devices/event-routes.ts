import { sql } from 'kysely';
import { Type } from '../../kernel/type.ts';
import type { DeviceEvent } from '../../../schemas/_generated/contract.ts';
import { ok } from '../../kernel/answer.ts';
import { applyListQuery, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { presentDeviceEvent } from '../../domain/devices/events.ts';
import { NotFound } from '../../kernel/errors.ts';
import { idParams } from '../../kernel/ids.ts';
import { readListQuery, visibleFields, type ListRules } from '../../kernel/list-query.ts';
import { pickFields } from '../../kernel/list-route.ts';
import { entityFields } from '../../kernel/resources.ts';
import { route, type App } from '../../kernel/route.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { findDevice } from './repo.ts';

const access = { permission: 'view_device_logs' } as const;
const LEVELS: DeviceEvent['level'][] = ['info', 'warning', 'error'];

const rules: ListRules = {
  sorts: new Set(['id', 'created_at']),
  filters: new Map([
    ['level', { kind: 'enum', values: LEVELS, isNegatable: false }],
    ['type', { kind: 'text', isNegatable: true }],
  ]),
  fields: new Map(entityFields('device_event').map((field) => [field, undefined])),
  defaultSort: { key: 'id', isDescending: true },
  isSearchable: false,
};

const columns: ListColumns = {
  id: sql.ref('device_events.id'),
  sorts: { id: { by: sql.ref('device_events.id') }, created_at: { by: sql.ref('device_events.at') } },
  filters: {
    level: (values) => isOneOf(sql.ref('device_events.level'), values),
    type: (values) => isOneOf(sql.ref('device_events.type'), values),
  },
};

function registerFleetEvents(app: App): void {
  const query = Type.Object({ limit: Type.Optional(Type.String()), offset: Type.Optional(Type.String()) });
  route(app, {
    method: 'GET',
    path: '/devices/logs',
    access,
    summary: 'What happened to all devices that the caller sees, newest first.',
    tag: 'device logs',
    query,
    hasOwnQueryCheck: true,
    async handler({ ctx, actor, request, reply }) {
      const asked = readListQuery(rules, { actor, reply }, request.query as Record<string, unknown>);
      const base = ctx.reads
        .selectFrom('device_events')
        .innerJoin('devices', 'devices.id', 'device_events.device_id')
        .selectAll('device_events')
        .select('devices.serial')
        .where(isVisible(actor, 'device_events'))
        .where(isVisible(actor, 'devices'));
      const { rows, total } = await applyListQuery(base, asked, columns);
      const fields = asked.fields ?? visibleFields(rules, actor);
      return ok(
        rows.map(({ serial, ...row }) => pickFields(presentDeviceEvent(row, serial), fields)),
        { total },
      );
    },
  });
}

/** Registers the list of what happened to one device. Events of the time in another company stay with that company. */
export function registerDeviceEvents(app: App): void {
  registerFleetEvents(app);
  route(app, {
    method: 'GET',
    path: '/devices/:id/logs',
    access,
    summary: 'What happened to a device, newest first.',
    tag: 'devices',
    params: idParams,
    query: Type.Object({ limit: Type.Optional(Type.String()), offset: Type.Optional(Type.String()) }),
    hasOwnQueryCheck: true,
    async handler({ ctx, actor, params, request, reply }) {
      const device = await findDevice(ctx.reads, actor, params.id);
      if (!device) throw new NotFound({});
      const query = readListQuery(rules, { actor, reply }, request.query as Record<string, unknown>);
      const base = ctx.reads
        .selectFrom('device_events')
        .selectAll('device_events')
        .where('device_events.device_id', '=', device.id)
        .where(isVisible(actor, 'device_events'));
      const { rows, total } = await applyListQuery(base, query, columns);
      const fields = query.fields ?? visibleFields(rules, actor);
      return ok(
        rows.map((row) => pickFields(presentDeviceEvent(row, device.serial), fields)),
        { total },
      );
    },
  });
}
