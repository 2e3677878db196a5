/** One line of the result. */
export interface Line {
  what: string;
  /** What it was measured on: row counts, connections, runs. */
  on: string;
  ours: string;
  goal: string;
  /** The bare handler, measured in the same run. */
  bare?: string;
}

/** A benchmark: measures and reports, and never fails for being slow. */
export interface Benchmark {
  name: string;
  title: string;
  run(report: (line: Line) => void): Promise<void>;
}

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
export const ms = (value: number): string => `${number.format(value)} ms`;
export const mib = (value: number): string => `${number.format(value)} MiB`;
export const count = (value: number): string => number.format(Math.round(value));
export const percent = (value: number): string => `${number.format(value * 100)} %`;

/** Prints a line as it is known, over several lines of text. */
export function printLine({ what, on, ours, goal, bare }: Line): void {
  console.log(`  ${what}\n    on    ${on}\n    ours  ${ours}\n    goal  ${goal}${bare ? `\n    bare  ${bare}` : ''}`);
}
