import { translationOf } from '../../../schemas/kit/form/messages.ts';
import { itemMessage } from '../../kernel/http/index.ts';
import { formatNumber, translate, type Translate } from '../../kernel/i18n/index.ts';
import { withFilePosition } from './file-position.ts';
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
