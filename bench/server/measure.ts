import autocannon from 'autocannon';

/** The middle value of an odd number of runs. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export interface Load {
  p50: number;
  p99: number;
  perSecond: number;
}

const RUNS = 3;
const SECONDS = 4;

/** Calls an address repeatedly over `connections` at once; the median of several runs. Throws when an answer is not 2xx. */
export async function load(url: string, headers: Record<string, string>, connections = 2): Promise<Load> {
  const runs: Load[] = [];
  await autocannon({ url, headers, connections, duration: 1 });
  for (let run = 0; run < RUNS; run += 1) {
    const result = await autocannon({ url, headers, connections, duration: SECONDS });
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} failed`);
    runs.push({ p50: result.latency.p50, p99: result.latency.p99, perSecond: result.requests.average });
  }
  return {
    p50: median(runs.map((run) => run.p50)),
    p99: median(runs.map((run) => run.p99)),
    perSecond: median(runs.map((run) => run.perSecond)),
  };
}

export interface Timing {
  medianMs: number;
  maxMs: number;
}

/** Times one call after the other. Throws when an answer is not 2xx. */
export async function timeCalls(count: number, call: () => Promise<Response>): Promise<Timing> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const begun = performance.now();
    const response = await call();
    await response.arrayBuffer();
    times.push(performance.now() - begun);
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  }
  return { medianMs: median(times), maxMs: Math.max(...times) };
}
