/** Families that share firmware and features. */
export type DeviceSeries = 'RUT2' | 'RUT3' | 'RUT9' | 'RUTX' | 'RUTM' | 'RUT' | 'TRB' | 'TCR' | 'TAP' | 'TSW' | 'OTD' | 'DAP';

export interface Hardware {
  /** Ethernet ports. */
  ports: number;
  sims: number;
  modems: number;
  hasWifi: boolean;
  hasGps: boolean;
  /** Digital or analogue inputs and outputs beyond those of the power plug. */
  hasIo: boolean;
  hasEsim: boolean;
}

const SERIES: readonly DeviceSeries[] = ['RUTX', 'RUTM', 'RUT2', 'RUT3', 'RUT9', 'RUT', 'TRB', 'TCR', 'TAP', 'TSW', 'OTD', 'DAP'];

/** The family of a model by the start of its name. */
export function seriesOf(model: string): DeviceSeries | undefined {
  return SERIES.find((series) => model.startsWith(series));
}

function hardware(
  ports: number,
  sims: number,
  parts: { modems?: number; wifi?: boolean; gps?: boolean; io?: boolean; esim?: boolean } = {},
): Hardware {
  return {
    ports,
    sims,
    modems: parts.modems ?? (sims > 0 ? 1 : 0),
    hasWifi: parts.wifi ?? false,
    hasGps: parts.gps ?? false,
    hasIo: parts.io ?? false,
    hasEsim: parts.esim ?? false,
  };
}

const UNKNOWN = hardware(0, 0);

// By the start of the model's name, the longer start first: RUTX50 before RUTX.
const MODELS: readonly [start: string, parts: Hardware][] = [
  ['RUTX08', hardware(4, 0)],
  ['RUTX09', hardware(4, 2, { gps: true })],
  ['RUTX10', hardware(4, 0, { wifi: true })],
  ['RUTX11', hardware(4, 2, { wifi: true, gps: true })],
  ['RUTX12', hardware(5, 2, { modems: 2, wifi: true, gps: true })],
  ['RUTX14', hardware(5, 2, { wifi: true, gps: true })],
  ['RUTX50', hardware(5, 2, { wifi: true, gps: true })],
  ['RUTXR1', hardware(5, 2, { wifi: true })],
  ['RUTX', hardware(4, 0)],
  ['RUTM50', hardware(5, 2, { wifi: true, gps: true, esim: true })],
  ['RUTM', hardware(5, 2, { wifi: true })],
  ['RUT200', hardware(2, 1, { wifi: true })],
  ['RUT2', hardware(2, 1, { wifi: true })],
  ['RUT300', hardware(5, 0)],
  ['RUT301', hardware(5, 0)],
  ['RUT36', hardware(2, 1, { wifi: true })],
  ['RUT955', hardware(4, 2, { wifi: true, gps: true, io: true })],
  ['RUT956', hardware(4, 2, { wifi: true, gps: true, io: true })],
  ['RUT906', hardware(4, 2, { wifi: true, io: true })],
  ['RUT9', hardware(4, 2, { wifi: true })],
  ['TRB14', hardware(1, 1)],
  ['TRB16', hardware(1, 1)],
  ['TRB24', hardware(1, 2, { gps: true, io: true })],
  ['TRB25', hardware(1, 2, { gps: true, io: true })],
  ['TRB5', hardware(1, 1)],
  ['TRB', hardware(1, 1)],
  ['TCR', hardware(2, 1, { wifi: true })],
  ['TAP', hardware(1, 0, { wifi: true })],
  ['TSW', hardware(10, 0)],
  ['OTD', hardware(2, 2)],
  ['DAP', hardware(1, 0, { wifi: true })],
];

/** What a model is made of; a make that is not in the table has nothing that could be promised. */
export function hardwareOf(model: string): Hardware {
  return MODELS.find(([start]) => model.startsWith(start))?.[1] ?? UNKNOWN;
}
