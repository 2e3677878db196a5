import { readFile } from 'node:fs/promises';
import { visit } from 'jsonc-parser';
import { readApiSources, type ApiSource } from '../../../schemas/kit/devices/api-sources.ts';
import type { ConfigDocument } from '../../../schemas/kit/devices/configuration.ts';
import { readConfiguration, type LeftOut } from '../../../schemas/kit/devices/read-configuration.ts';
import { serveHelper } from '../../kernel/costly/serve-helper.ts';
import type { DocumentFault } from '../../../schemas/kit/devices/resolve-schema.ts';

export interface Fault {
  /** From 1. */
  line: number;
  column: number;
}

/** The result of reading a file: no JSON object, a document that cannot be used, or what it says of single settings and of what can be read. */
export type CheckedFile =
  { broken: Fault } | { fault: DocumentFault } | { document: ConfigDocument; leftOut: LeftOut[]; sources: ApiSource[] };

/** Where a text stops being a JSON object. */
function findJsonFault(text: string): Fault {
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

function checkFile(text: string): CheckedFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { broken: findJsonFault(text) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { broken: { line: 1, column: 1 } };
  const read = readConfiguration(value);
  return 'fault' in read ? read : { ...read, sources: readApiSources(value) };
}

serveHelper(async (path: string) => checkFile(await readFile(path, 'utf8')));
