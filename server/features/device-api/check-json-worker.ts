import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { visit } from 'jsonc-parser';

export interface Fault {
  /** From 1. */
  line: number;
  column: number;
}

/** Where a text stops being a JSON object; undefined when it is one. */
export function findJsonFault(text: string): Fault | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : { line: 1, column: 1 };
  } catch {
    let fault: Fault | undefined;
    const note = (line: number, character: number): void => void (fault ??= { line: line + 1, column: character + 1 });
    visit(
      text,
      {
        onError: (_code, _offset, _length, line, character) => note(line, character),
        onComment: (_offset, _length, line, character) => note(line, character),
      },
      { disallowComments: true, allowTrailingComma: false },
    );
    return fault ?? { line: 1, column: 1 };
  }
}

parentPort?.postMessage(findJsonFault(readFileSync(String(workerData), 'utf8')));
