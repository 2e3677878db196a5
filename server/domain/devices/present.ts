import type { Device } from '../../../schemas/_generated/contract.ts';
import type { Row } from '../../db/schema.ts';
import { wireTime } from '../../kernel/clock.ts';

export interface DeviceSurroundings {
  companyName: string;
  /** Names from the topmost company that the viewer sees down to the device's own. */
  companyPath: string[];
  /** Only tags of companies that the viewer sees. */
  tags: Device['tags'];
  /** One of a company that the viewer sees. */
  site?: { id: number; name: string } | undefined;
  /** How it differs from the templates that it follows; undefined when it follows none. */
  configuration?: Device['configuration_state'] | undefined;
  /** Its health score. */
  health?: number | null | undefined;
  /** What its custom fields hold. */
  custom?: Device['custom'] | undefined;
}

type PlainFields = Omit<
  Device,
  'company_name' | 'company_path' | 'tags' | 'site_id' | 'site_name' | 'configuration_state' | 'custom' | 'health'
>;

/** All that is read of a device for the wire: credentials and keys stay inside. */
export const presentedColumns = [
  'id',
  'company_id',
  'model',
  'name',
  'description',
  'serial',
  'mac',
  'imei',
  'imsi',
  'iccid',
  'firmware',
  'quarantine',
  'status',
  'failed_auth_reason',
  'last_connection_at',
  'last_update_at',
  'created_at',
  'updated_at',
  'router_uptime',
  'signal',
  'rsrp',
  'rsrq',
  'sinr',
  'connection_type',
  'operator',
  'network_state',
  'sim_slot',
  'mobile_ip',
  'wan_state',
  'wan_ip',
  'lan_ip',
  'sent',
  'received',
  'temperature',
  'modem_manufacturer',
  'modem_model',
  'modem_firmware',
  'operator_number',
  'cell_id',
  'lac',
  'imei_2',
  'imsi_2',
  'iccid_2',
  'modem_manufacturer_2',
  'modem_model_2',
  'modem_firmware_2',
  'signal_2',
  'rsrp_2',
  'rsrq_2',
  'sinr_2',
  'connection_type_2',
  'operator_2',
  'operator_number_2',
  'network_state_2',
  'sim_slot_2',
  'cell_id_2',
  'lac_2',
  'mobile_ip_2',
  'sent_2',
  'received_2',
  'is_simulated',
  'agent',
  'os',
  'hostname',
  'timezone',
  'report_seconds',
  'load1',
  'mem_total_kb',
  'mem_available_kb',
  'user_set_latitude',
  'user_set_longitude',
  'dynamic_monitoring',
  'monitoring_enabled',
] as const satisfies readonly (keyof Row<'devices'>)[];

export type PresentedRow = Pick<Row<'devices'>, (typeof presentedColumns)[number]>;

/** A device's own fields as the wire shows them, without what depends on the viewer. */
export function presentDeviceFields(row: PresentedRow): PlainFields {
  return {
    id: row.id,
    company_id: row.company_id,
    model: row.model || null,
    name: row.name,
    description: row.description || null,
    serial: row.serial,
    mac: row.mac,
    imei: row.imei,
    imsi: row.imsi,
    iccid: row.iccid,
    firmware: row.firmware || null,
    status: row.quarantine === null ? row.status : 2,
    quarantine: row.quarantine,
    failed_auth_reason: row.failed_auth_reason,
    last_connection_at: wireTime(row.last_connection_at),
    last_update_at: wireTime(row.last_update_at),
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
    router_uptime: row.router_uptime,
    signal: row.signal,
    rsrp: row.rsrp,
    rsrq: row.rsrq,
    sinr: row.sinr,
    connection_type: row.connection_type,
    operator: row.operator,
    network_state: row.network_state,
    sim_slot: row.sim_slot,
    mobile_ip: row.mobile_ip,
    wan_state: row.wan_state,
    wan_ip: row.wan_ip,
    lan_ip: row.lan_ip,
    sent: row.sent,
    received: row.received,
    temperature: row.temperature,
    modem_manufacturer: row.modem_manufacturer,
    modem_model: row.modem_model,
    modem_firmware: row.modem_firmware,
    operator_number: row.operator_number,
    cell_id: row.cell_id,
    lac: row.lac,
    imei_2: row.imei_2,
    imsi_2: row.imsi_2,
    iccid_2: row.iccid_2,
    modem_manufacturer_2: row.modem_manufacturer_2,
    modem_model_2: row.modem_model_2,
    modem_firmware_2: row.modem_firmware_2,
    signal_2: row.signal_2,
    rsrp_2: row.rsrp_2,
    rsrq_2: row.rsrq_2,
    sinr_2: row.sinr_2,
    connection_type_2: row.connection_type_2,
    operator_2: row.operator_2,
    operator_number_2: row.operator_number_2,
    network_state_2: row.network_state_2,
    sim_slot_2: row.sim_slot_2,
    cell_id_2: row.cell_id_2,
    lac_2: row.lac_2,
    mobile_ip_2: row.mobile_ip_2,
    sent_2: row.sent_2,
    received_2: row.received_2,
    is_simulated: row.is_simulated === 1,
    agent: row.agent || null,
    os: row.os || null,
    hostname: row.hostname || null,
    timezone: row.timezone,
    report_seconds: row.report_seconds,
    load1: row.load1,
    mem_total_kb: row.mem_total_kb,
    mem_available_kb: row.mem_available_kb,
    user_set_latitude: row.user_set_latitude,
    user_set_longitude: row.user_set_longitude,
    dynamic_monitoring: row.dynamic_monitoring,
    monitoring_enabled: row.monitoring_enabled === 1,
  };
}

/** A device as one viewer sees it. */
export function presentDevice(row: PresentedRow, around: DeviceSurroundings): Device {
  return Object.assign(presentDeviceFields(row), {
    company_name: around.companyName,
    company_path: around.companyPath,
    tags: around.tags,
    site_id: around.site?.id ?? null,
    site_name: around.site?.name ?? null,
    configuration_state: around.configuration ?? null,
    health: around.health ?? null,
    custom: around.custom ?? {},
  });
}
