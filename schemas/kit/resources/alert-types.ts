/** What a legacy alert of a device is about, as the public API numbers it. The texts are those of the API; consoles have their own. */
export interface AlertSubtype {
  id: number;
  typeId: number;
  type: string;
  text: string;
  /** As a condition of a rule; `{area}`, `{limit}`, `{period}` and `{sim}` come from the alert. */
  condition: { parameter: string; operator: string; value?: string };
}

const of = (typeId: number, type: string, entries: readonly [number, string, string, string, string?][]): AlertSubtype[] =>
  entries.map(([id, text, parameter, operator, value]) => ({
    ...{ id, typeId, type, text },
    condition: { parameter, operator, ...(value === undefined ? {} : { value }) },
  }));

export const GEOFENCE_TYPE = 5;
export const DATA_LIMIT_SUBTYPE = 15;
/** Of changes of the connection: each is news of its own, so none is held back as a repeat. */
export const CONNECTION_TYPE = 3;

export const ALERT_SUBTYPES: readonly AlertSubtype[] = [
  ...of(1, 'Status change', [
    [1, 'Online to Offline', 'status', '==', 'offline'],
    [2, 'Offline to Online', 'status', '==', 'online'],
  ]),
  ...of(2, 'Signal strength', [
    [3, 'Signal strength dropped below -75 dBm', 'signal', '<', '-75'],
    [4, 'Signal strength dropped below -85 dBm', 'signal', '<', '-85'],
    [5, 'Signal strength dropped below -95 dBm', 'signal', '<', '-95'],
    [6, 'Signal strength dropped below -105 dBm', 'signal', '<', '-105'],
  ]),
  ...of(CONNECTION_TYPE, 'Connection change', [
    [7, 'Connection type changed', 'connection_type', 'changed'],
    [8, 'WAN switched', 'wan_state', 'changed'],
    [9, 'WAN address changed', 'wan_ip', 'changed'],
  ]),
  ...of(4, 'SIM and operator', [
    [11, 'SIM card switched', 'sim_slot', 'changed'],
    [12, 'Operator changed', 'operator', 'changed'],
    [DATA_LIMIT_SUBTYPE, 'Mobile data limit reached', 'data_{period}_sim{sim}', '>=', '{limit}'],
  ]),
  ...of(GEOFENCE_TYPE, 'GPS geofence', [
    [13, 'Entered the area', 'position', 'inside', '{area}'],
    [14, 'Left the area', 'position', 'outside', '{area}'],
  ]),
  ...of(6, 'Device', [
    [16, 'Device started again', 'router_uptime', '<', '300'],
    [17, 'Firmware changed', 'firmware', 'changed'],
  ]),
];

export const alertSubtypeOf = (id: number): AlertSubtype | undefined => ALERT_SUBTYPES.find((one) => one.id === id);

/** The kinds of alerts that are of these types, each by its text or its number. */
export const alertSubtypesOf = (types: readonly string[]): number[] =>
  ALERT_SUBTYPES.flatMap(({ id, typeId, type }) => (types.includes(type) || types.includes(String(typeId)) ? [id] : []));
