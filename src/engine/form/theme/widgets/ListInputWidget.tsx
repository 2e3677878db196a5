import { useState } from 'react';
import { valueOfText } from '../../../../../schemas/kit/form/check-item.ts';
import { DEFAULT_ADD_KEYS, addItems, addKeyOf, repeatedPositions, splitItems } from '../../../../../schemas/kit/form/list-items.ts';
import { useT } from '../../../../kernel/i18n/index.ts';
import { CsvImport, type CsvLine, type CsvVerdict, ListField } from '../../../../ui/index.ts';
import { itemText } from '../../item-text.ts';
import { partOf } from './part-errors.ts';
import type { AddedItems, ListRules } from '../../../../../schemas/kit/form/list-items.ts';
import type { AddKey, FieldUi, JsonPrimitive, JsonValue } from '../../../../../schemas/kit/form/types.ts';
import type { Translate } from '../../../../kernel/i18n/index.ts';
import { baseOf } from '../widget-base.ts';
import { itemsSchemaOf } from './items-schema.ts';
import type { FormWidgetProps } from '../widgets.ts';

/**
 * A list of texts or numbers (docs/behaviour.md section 5). The add keys, leaving the field and pasting add what was typed. An item that
 * breaks its own rule stays in the text with the reason; when the field is left it becomes a marked chip, so that it is neither lost nor sent.
 */
export function ListInputWidget(props: FormWidgetProps) {
  const { label, schema: property, options, value, placeholder, items: errors, onChange } = props;
  const base = baseOf(props);
  const t = useT();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  const [notice, setNotice] = useState('');
  const { maxItems } = property;
  const schema = itemsSchemaOf(property);
  const { addKeys = DEFAULT_ADD_KEYS, noDupes, showCsvUpload } = optionsOf(options);
  const rules: ListRules = { items: schema, maxItems, noDupes };
  const list = itemsOf(value);
  const wrong = new Map(errors.map((item) => [partOf(item)[0], itemText(item, undefined, t)]));
  const repeated = property.uniqueItems ? repeatedPositions(list) : new Set<number>();

  function apply(result: AddedItems, rest: readonly string[]): void {
    if (result.items.length !== list.length) onChange(result.items);
    setTyped(rest.join(', '));
    setProblem(wordsOfRefused(result, t));
    setNotice(wordsOfLeftOut(result, maxItems, t));
  }

  function add(texts: readonly string[]): void {
    const result = addItems(list, texts, rules);
    apply(result, [...result.refused.map((item) => item.text), ...result.left]);
  }

  function handleKey(key: string): boolean {
    if (key === 'Backspace' && typed === '' && list.length > 0) {
      remove(list.length - 1);
      return true;
    }
    const addKey = addKeyOf(key);
    if (!addKey || !addKeys.includes(addKey)) return false;
    // Enter sends the form and Tab goes on where there is nothing to add; a separator would only make a blank item.
    if (typed.trim() === '') return addKey !== 'Enter' && addKey !== 'Tab';
    add([typed]);
    return true;
  }

  function handleText(next: string): void {
    setProblem('');
    setNotice('');
    // On a phone's keyboard a comma arrives as text, not as a key.
    if (splitItems(`${next}x`, addKeys).length > 1) add(splitItems(next, addKeys));
    else setTyped(next);
  }

  function handlePaste(pasted: string): boolean {
    const texts = splitItems(pasted, addKeys);
    if (texts.length < 2) return false;
    add(typed.trim() === '' ? texts : [typed, ...texts]);
    return true;
  }

  function handleLeave(): void {
    const result = addItems(list, splitItems(typed, addKeys), rules);
    const room = Math.max(0, (maxItems ?? Infinity) - result.items.length);
    const marked = result.refused.slice(0, room).map((item) => valueOfText(schema, item.text));
    const left = [...result.refused.slice(room).map((item) => item.text), ...result.left];
    if (typed !== '') apply({ ...result, items: [...result.items, ...marked], refused: result.refused.slice(room) }, left);
    base.onBlur();
  }

  function remove(index: number): void {
    const next = list.filter((_, position) => position !== index);
    onChange(next);
    setNotice('');
  }

  function edit(index: number): void {
    setTyped(String(list[index] ?? ''));
    remove(index);
  }

  const faults = [...wrong].flatMap(([part, message]) => (part === undefined ? [] : [`${String(list[Number(part)] ?? '')}: ${message}`]));
  return (
    <ListField
      {...base}
      label={label}
      items={list.map((item, index) => ({ text: String(item), isWrong: wrong.has(String(index)) || repeated.has(index) }))}
      text={typed}
      onText={handleText}
      problem={[problem, ...faults].filter(Boolean).join(' ')}
      notice={notice}
      placeholder={placeholder || (addKeys.includes('Enter') ? t('form.items.placeholder') : undefined)}
      inputMode={schema.type === 'integer' ? 'numeric' : schema.type === 'number' ? 'decimal' : undefined}
      onKey={handleKey}
      onPasteText={handlePaste}
      onRemove={remove}
      onEdit={edit}
      onBlur={handleLeave}
    >
      {showCsvUpload ? (
        <CsvImport
          disabled={base.disabled}
          judge={(lines) => judgeLines(lines, list, rules, t)}
          onAdd={(added: JsonPrimitive[]) => onChange([...list, ...added])}
        />
      ) : null}
    </ListField>
  );
}

type ListOptions = Pick<NonNullable<FieldUi['ui:options']>, 'noDupes' | 'showCsvUpload'> & { addKeys?: readonly AddKey[] };

function optionsOf({ addKeys, noDupes, showCsvUpload }: FormWidgetProps['options']): ListOptions {
  return { addKeys, noDupes: noDupes === true, showCsvUpload: showCsvUpload === true };
}

function itemsOf(value: JsonValue | undefined): JsonPrimitive[] {
  return Array.isArray(value) ? value.filter((item) => typeof item !== 'object' || item === null) : [];
}

function wordsOfRefused({ refused }: AddedItems, t: Translate): string {
  return refused.map(({ text, fault }) => t('form.items.refused', { item: text, message: itemText(fault, undefined, t) })).join(' ');
}

function wordsOfLeftOut({ repeated, left }: AddedItems, maxItems: number | undefined, t: Translate): string {
  return [
    repeated.length > 0 ? t('form.items.repeated', { items: repeated.join(', ') }) : '',
    left.length > 0 ? t('form.items.full', { count: maxItems ?? 0, items: left.join(', ') }) : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** What the lines of a file add to the list; every cell that is not blank is an item. */
function judgeLines(lines: readonly CsvLine[], list: readonly JsonPrimitive[], rules: ListRules, t: Translate): CsvVerdict<JsonPrimitive> {
  const problems: CsvVerdict<JsonPrimitive>['problems'] = [];
  // A file repeats what is there already more often than not; that is reported, and left out.
  const strict = { ...rules, noDupes: true };
  let items: readonly JsonPrimitive[] = list;
  for (const { line, cells } of lines) {
    const result = addItems(items, cells, strict);
    ({ items } = result);
    const message = [wordsOfRefused(result, t), wordsOfLeftOut(result, rules.maxItems, t)].filter(Boolean).join(' ');
    if (message) problems.push({ line, message });
  }
  const values = items.slice(list.length);
  return { values, rows: values.map((item) => [String(item)]), problems };
}
