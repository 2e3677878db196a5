import { relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LintProblem } from './lint-source.ts';

/** A path as SARIF names it: relative with `/` where the file is below the working folder, else a `file:` address. */
function uriOf(path: string): string {
  const below = relative(process.cwd(), path);
  if (below.startsWith('..') || below === '') return pathToFileURL(path).href;
  return below.split(sep).map(encodeURIComponent).join('/');
}

/** Findings as a SARIF 2.1.0 log (OASIS), which code hosts and editors show at their lines. */
export function sarifOf(problems: readonly LintProblem[]): object {
  const rules = [...new Set(problems.map(({ code }) => code))].toSorted();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'canopy-forms', rules: rules.map((id) => ({ id })) } },
        columnKind: 'utf16CodeUnits',
        results: problems.map(({ path, line, column, code, message }) => ({
          ruleId: code,
          ruleIndex: rules.indexOf(code),
          level: 'error',
          message: { text: message },
          locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(path) }, region: { startLine: line, startColumn: column } } }],
        })),
      },
    ],
  };
}
