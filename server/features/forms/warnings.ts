import { parseTree } from 'jsonc-parser';
import { didYouMean } from '../../../schemas/kit/lint/nearest.ts';
import type { FormFile } from '../../../schemas/kit/form/types.ts';
import { placeOf, type Finding } from './inspect.ts';

/**
 * What keeps a valid form from working on this installation, at its position in the text: it can be saved and is in use, and what it sends fails until
 * the installation has what it names. `webhooks`: the names of the setting WEBHOOKS.
 */
export function warningsOf({ submit }: FormFile, text: string, webhooks: Iterable<string>): Finding[] {
  const name = submit.webhook?.to;
  const names = [...webhooks];
  if (name === undefined || names.includes(name)) return [];
  const message = `The setting WEBHOOKS names no "${name}": what is sent is refused until it does.${didYouMean(name, names)}`;
  return [{ ...placeOf(text, parseTree(text), ['submit', 'webhook', 'to']), code: 'unset-webhook', message }];
}
