import { createReadStream } from 'node:fs';

/** Where mobile cells are, by a table that the installation brings. Nothing is asked of anybody. */
export interface CellTable {
  readonly size: number;
  /** The file has more cells than are kept. */
  readonly isCut: boolean;
  /** `network` is the number of the operator, such as 24201; area and cell are hex or decimal digits, as devices report them. */
  find(network: string | null, area: string | null, cell: string | null): CellPlace | undefined;
}

export interface CellPlace {
  latitude: number;
  longitude: number;
}

// 24201: three digits of the country, two or three of the network.
const NETWORK = /^(\d{3})(\d{2,3})$/;
const COLUMNS = ['radio', 'mcc', 'net', 'area', 'cell', 'unit', 'lon', 'lat'];
const MOST_CELLS = 5_000_000;
const MOST_COLUMNS = 30;
const MOST_CHARACTERS = 2000;

const keyOf = (country: number, network: number, area: number, cell: number): string => `${country} ${network} ${area} ${cell}`;

/** The numbers that digits may stand for: decimal where they can be, else and otherwise hexadecimal. */
function numbersOf(digits: string | null): number[] {
  if (digits === null || !/^[0-9A-Fa-f]{1,12}$/.test(digits)) return [];
  const hex = Number.parseInt(digits, 16);
  return /^\d+$/.test(digits) ? [Number(digits), hex] : [hex];
}

/** The lines of a file, each as it is read. One that is longer than any of a table, as in a file that is no text, is not kept. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const part of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > MOST_CHARACTERS) rest = '';
  }
  yield rest;
}

/** A table of no cells. */
export const noCells: CellTable = { size: 0, isCut: false, find: () => undefined };

/**
 * Reads a table of cells: CSV as OpenCelliD and others have it (radio, mcc, net, area, cell, unit, lon, lat), with or without a line of names. Lines that
 * are none are passed over. Throws when the file cannot be read.
 */
export async function readCells(path: string): Promise<CellTable> {
  const cells = new Map<string, CellPlace>();
  let order: string[] | undefined;
  let isCut = false;
  for await (const line of linesOf(path)) {
    const parts = line.split(',', MOST_COLUMNS).map((part) => part.trim());
    if (order === undefined) {
      order = parts.includes('mcc') ? parts : COLUMNS;
      if (order === parts) continue;
    }
    const names = order;
    const numberAt = (name: string): number => Number(parts[names.indexOf(name)] || Number.NaN);
    const [latitude, longitude] = [numberAt('lat'), numberAt('lon')];
    const key = keyOf(numberAt('mcc'), numberAt('net'), numberAt('area'), numberAt('cell'));
    if (key.includes('NaN') || !(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) continue;
    if (cells.size >= MOST_CELLS) {
      isCut = true;
      break;
    }
    cells.set(key, { latitude, longitude });
  }
  return {
    size: cells.size,
    isCut,
    find(network, area, cell) {
      const [, country, own] = NETWORK.exec(network ?? '') ?? [];
      if (country === undefined || own === undefined) return undefined;
      for (const areaNumber of numbersOf(area))
        for (const cellNumber of numbersOf(cell)) {
          const found = cells.get(keyOf(Number(country), Number(own), areaNumber, cellNumber));
          if (found) return found;
        }
      return undefined;
    },
  };
}
