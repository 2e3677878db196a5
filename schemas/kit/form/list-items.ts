import { checkItem, valueOfText } from './check-item.ts';
import { normalizeText } from './normalize-text.ts';
import type { AddKey, ErrorItem, JsonPrimitive, JsonSchema } from './types.ts';

/** The keys that end an item unless the form says otherwise (docs/behaviour.md section 9). */
export const DEFAULT_ADD_KEYS: readonly AddKey[] = ['Enter', 'comma'];

const SIGNS: Readonly<Record<AddKey, string>> = { Enter: '\n', comma: ',', space: ' ', semicolon: ';', Tab: '\t' };

/** What a list takes. */
export interface ListRules {
  items: JsonSchema;
  maxItems?: number;
  /** A repeated item is not added. Otherwise it is, and the schema's `uniqueItems` names it. */
  noDupes?: boolean;
}

export interface AddedItems {
  /** The list with what could be added, in the order given. */
  items: JsonPrimitive[];
  added: number;
  /** Repeated items that were left out because of `noDupes`. */
  repeated: string[];
  /** What the items' own rules refuse, with the first reason; never added here. */
  refused: { text: string; fault: ErrorItem }[];
  /** What came after the list was full. */
  left: string[];
}

/** The key that a keyboard event names (`KeyboardEvent.key`) as an add key. */
export function addKeyOf(key: string): AddKey | undefined {
  if (key === 'Enter' || key === 'Tab') return key;
  return key === ',' ? 'comma' : key === ' ' ? 'space' : key === ';' ? 'semicolon' : undefined;
}

/**
 * The items in a pasted or typed text. Lines always end an item, and so do the characters of the add keys (a tab always, as cells of a
 * spreadsheet are pasted). Blank ones are left out.
 */
export function splitItems(text: string, addKeys: readonly AddKey[] = DEFAULT_ADD_KEYS): string[] {
  const ends = new Set(['\n', '\r', '\t', ...addKeys.map((key) => SIGNS[key])]);
  const items: string[] = [];
  let item = '';
  for (const character of text) {
    if (!ends.has(character)) item += character;
    else {
      items.push(item);
      item = '';
    }
  }
  return [...items, item].map((part) => part.trim()).filter((part) => part !== '');
}

/**
 * Adds texts to a list (docs/behaviour.md section 5): blank ones are ignored, numbers become numbers where the items are numbers, other
 * spellings of a format are made one, and it stops at `maxItems`. Every text that is not blank is found in exactly one part of the answer.
 */
export function addItems(
  list: readonly JsonPrimitive[],
  texts: readonly string[],
  { items, maxItems = Infinity, noDupes }: ListRules,
): AddedItems {
  const answer: AddedItems = { items: [...list], added: 0, repeated: [], refused: [], left: [] };
  const present = new Set(list);
  for (const text of texts) {
    if (text.trim() === '') continue;
    const value = valueOfText(items, normalizeText(items.format, text.trim()));
    const [fault] = checkItem(items, value);
    if (fault) answer.refused.push({ text: text.trim(), fault });
    else if (noDupes && present.has(value)) answer.repeated.push(text.trim());
    else if (answer.items.length >= maxItems) answer.left.push(text.trim());
    else {
      answer.items.push(value);
      present.add(value);
      answer.added += 1;
    }
  }
  return answer;
}

/** The positions of items that repeat an earlier one. */
export function repeatedPositions(list: readonly JsonPrimitive[]): Set<number> {
  const seen = new Set<JsonPrimitive>();
  return new Set(list.flatMap((item, index) => (seen.size === seen.add(item).size ? [index] : [])));
}
