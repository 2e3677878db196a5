/** A recording in asciicast v2 format, as the server keeps it. */
export interface Cast {
  cols: number;
  rows: number;
  title: string;
  /** Seconds from the start, what happened, and its text. */
  events: readonly { at: number; kind: 'o' | 'r'; text: string }[];
  seconds: number;
}

const MOST_EVENTS = 500_000;
const SIZE = /^(\d{1,4})x(\d{1,4})$/;

function readLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The last line of a recording that was cut off.
    return undefined;
  }
}

/** Reads a recording; undefined when it is none. */
export function parseCast(text: string): Cast | undefined {
  const [first = '', ...lines] = text.split('\n');
  const header = readLine(first);
  if (typeof header !== 'object' || header === null || !('version' in header) || header.version !== 2) return undefined;
  const { width, height, title } = header as { width?: unknown; height?: unknown; title?: unknown };
  const events: Cast['events'][number][] = [];
  for (const line of lines.slice(0, MOST_EVENTS)) {
    const event = readLine(line);
    if (!Array.isArray(event)) continue;
    const [at, kind, data] = event as unknown[];
    if (typeof at === 'number' && (kind === 'o' || kind === 'r') && typeof data === 'string') events.push({ at, kind, text: data });
  }
  return {
    cols: typeof width === 'number' ? width : 80,
    rows: typeof height === 'number' ? height : 24,
    title: typeof title === 'string' ? title : '',
    events,
    seconds: events.at(-1)?.at ?? 0,
  };
}

/** A size as recordings write it: `120x40`. */
export function parseSize(text: string): { cols: number; rows: number } | undefined {
  const [, cols, rows] = SIZE.exec(text) ?? [];
  return cols === undefined || rows === undefined ? undefined : { cols: Math.max(Number(cols), 1), rows: Math.max(Number(rows), 1) };
}
