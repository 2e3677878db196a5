import { hardwareOf, seriesOf } from '../../../schemas/kit/devices/device-models.ts';

/** The back of a model, as far as it can be drawn from its capabilities. */
export interface ModelShape {
  /** box: a router or gateway · panel: an access point · rack: a switch · unknown: a make that is not in the table. */
  body: 'box' | 'panel' | 'rack' | 'unknown';
  ports: number;
  antennas: number;
  sims: number;
  /** The newer housing of the same model: rounder. */
  isFacelift: boolean;
}

const FACELIFT = /[-_ ]facelift$/i;
const MOBILE_ANTENNAS = 2;
const FAST_MOBILE_ANTENNAS = 4;
const WIFI_ANTENNAS = 2;
/** Models with a 5G modem, by the start of their names. */
const FAST = ['RUTX50', 'RUTM5', 'TRB5', 'OTD5'];

/** The shape of a model by its name; `RUTX11-facelift` is the newer housing of a RUTX11. Pure. */
export function modelShape(model: string): ModelShape {
  const name = model.replace(FACELIFT, '').trim().toUpperCase();
  const { ports, sims, hasWifi, hasGps } = hardwareOf(name);
  const series = seriesOf(name);
  const isFacelift = FACELIFT.test(model);
  if (series === undefined) return { body: 'unknown', ports: 0, antennas: 0, sims: 0, isFacelift };
  const mobile = sims === 0 ? 0 : FAST.some((start) => name.startsWith(start)) ? FAST_MOBILE_ANTENNAS : MOBILE_ANTENNAS;
  const isInside = series === 'TAP' || series === 'DAP' || series === 'OTD' || series === 'TSW';
  const antennas = isInside ? 0 : mobile + (hasWifi ? WIFI_ANTENNAS : 0) + (hasGps ? 1 : 0);
  const body = series === 'TSW' ? 'rack' : series === 'TAP' || series === 'DAP' ? 'panel' : 'box';
  return { body, ports, antennas, sims, isFacelift };
}
