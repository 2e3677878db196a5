import type { Translate } from '../../kernel/i18n/index.ts';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';

interface FilePlace {
  file: string;
  line: number;
  column: number | undefined;
}

/** Adds to a sentence where in an uploaded file the fault is: "api.json, line 12, column 5: …" (docs/behaviour.md section 8, Errors of files). */
export function withFilePosition(item: ErrorItem, sentence: string, t: Translate): string {
  const place = placeOf(item);
  if (!place) return sentence;
  const { file, line, column } = place;
  return column === undefined
    ? t('submit.at_line', { file, line: String(line), message: sentence })
    : t('submit.at_column', { file, line: String(line), column: String(column), message: sentence });
}

/** From the parameters `file`, `line`, `column`, or from a source such as `specs/api.json:12:5`; of a path only the file name is kept. */
function placeOf({ source, params }: ErrorItem): FilePlace | undefined {
  const { file, line, column } = params ?? {};
  if (typeof file === 'string' && typeof line === 'number') return { file, line, column: typeof column === 'number' ? column : undefined };
  // specs/api.json:12:5
  const [, path, lineText, columnText] = /^([^:]*[./][^:]*):(\d+)(?::(\d+))?$/.exec(source ?? '') ?? [];
  if (path === undefined) return undefined;
  return { file: path.slice(path.lastIndexOf('/') + 1), line: Number(lineText), column: columnText ? Number(columnText) : undefined };
}
