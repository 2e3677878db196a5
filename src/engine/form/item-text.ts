import { translationOf } from '../../../schemas/kit/form/messages.ts';
import { itemMessage } from '../../kernel/http/index.ts';
import { formatNumber, translate, type Translate } from '../../kernel/i18n/index.ts';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';

const CHOICES: ReadonlySet<string> = new Set(['select', 'radio', 'lookup', 'multi-select', 'device-select']);

/**
 * The sentence of an error item in the language of `t`; the server's own words where there is no translation. `widget` is the kind of
 * its field, because a choice is made and a text is entered.
 */
export function itemText(item: ErrorItem, widget?: string, t: Translate = translate): string {
  const { key, params } = translationOf(item);
  if (key === 'validation.required' && widget === 'file') return t('form.required_file');
  if (key === 'validation.required' && widget && CHOICES.has(widget)) return t('form.required_choice');
  if (key === 'validation.minItems' && params['count'] === 1) return t('form.required_choice');
  const decimals = key === 'validation.multipleOf' ? decimalsOf(params['step']) : undefined;
  if (decimals !== undefined) {
    return t('validation.decimals', { count: decimals, example: formatNumber(Number(`19.${'9'.repeat(decimals)}`)) });
  }
  return withFilePosition(item, itemMessage(item, t), t);
}

/** 0.01 → 2; steps that are no power of ten are shown as steps. */
function decimalsOf(step: unknown): number | undefined {
  if (typeof step !== 'number' || step >= 1) return undefined;
  const decimals = Math.round(-Math.log10(step));
  return Math.abs(10 ** -decimals - step) < 1e-12 ? decimals : undefined;
}

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
