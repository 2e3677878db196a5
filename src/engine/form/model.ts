import { startTransition } from 'react';
import { drawnSchema } from '../../../schemas/kit/form/drawn-schema.ts';
import { fieldAt, fieldsOf, isMembers } from '../../../schemas/kit/form/form-fields.ts';
import { placeErrors } from '../../../schemas/kit/form/place-errors.ts';
import { visibleSchema } from '../../../schemas/kit/form/visible-schema.ts';
import { checkEntries } from './check-entries.ts';
import { explainChoices } from './choice-errors.ts';
import { createDrawnChoices } from './drawn-choices.ts';
import { drawnFields } from './drawn-fields.ts';
import { releaseFiles } from './files.ts';
import { createListeners } from './listeners.ts';
import { isWithin, keyOf, valueIn, withValueIn, type Path } from './paths.ts';
import { NO_ITEMS, nodeOf, placeItems, type NodeItems } from './node-items.ts';
import { isSameData, prepareData, type FormData } from './prepare.ts';
import { createSchemaData } from './schema-data.ts';
import { shownValue } from './shown-value.ts';
import { validatorFor } from './validators.ts';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import type { ErrorItem, JsonSchema, JsonValue } from '../../../schemas/kit/form/types.ts';
import type { DrawnNode, FormModel } from './model-types.ts';

const NO_DATA: FormData = {};

export interface FormModelOptions {
  module: FormModule;
  start: JsonValue | undefined;
  can: (permission: string) => boolean;
}

/**
 * The state of one form on screen, outside React, so that a change reaches only the field it is about. Rules (docs/checks.md F1 to F5):
 * a field is checked when it is left after an edit, and when the form is sent; once it is wrong it is checked again on every change; an edit clears
 * the field's own server error and no other; a field that is hidden loses its value.
 *
 * An edit changes its field at once. What follows from it for the rest of the form waits until the browser has painted (`settle`), and whatever needs
 * the whole form (leaving a field, checking, sending) settles first.
 */
export function createFormModel({ module, start, can }: FormModelOptions): FormModel {
  const { form } = module;
  const fields = fieldsOf(form);
  const schemaData = createSchemaData(form, validatorFor(module));
  let data = schemaData.begin(start);
  let saved = data;
  let shown = visibleSchema(form, data, can);
  let drawn = drawnFields(form, shown.fields);
  let unsettled = new Map<string, Path>();
  let late = new Set<() => void>();
  // What others depend on decides at once: a field that went and came back within a moment must have lost its value.
  const decisive = new Set(
    [...Object.values(form.fields ?? {}), ...Object.values(form.alerts ?? {})].flatMap((rule) => Object.keys(rule.depends ?? {})),
  );
  let found: NodeItems = NO_ITEMS;
  let placed = new Map<string, NodeItems>();
  const edited = new Map<string, Path>();
  const nodes = new Map<string, { node: DrawnNode; count: number }>();
  const ids = new Map<string, Path>();
  const choices = createDrawnChoices();
  const listeners = createListeners();
  const all = new Set<() => void>();

  function isNode(key: string): boolean {
    return nodes.has(key) || drawn.has(key);
  }
  function call(some: Iterable<() => void>): void {
    for (const listener of some) listener();
  }
  function ready(chosen?: Map<string, JsonSchema[]>): JsonValue | undefined {
    return prepareData(form, shownOnly(shown.data, chosen), { start: saved, shown: shown.fields });
  }
  /** Without members of branches that are not drawn, unless the rules want them there. */
  function shownOnly(all: JsonValue | undefined, chosen?: Map<string, JsonSchema[]>): JsonValue | undefined {
    if (schemaData.isPlain) return all;
    const { root, utils } = schemaData;
    const onChoice = (key: string, choice: JsonSchema): void => void chosen?.set(key, [...(chosen.get(key) ?? []), choice]);
    const isChosen = (key: string): boolean => edited.has(key) || choices.hasChanged(key);
    const kept = shownValue({ utils, root, choiceAt: choices.at, isChosen, onChoice }, drawnSchema(form.schema), all);
    return !module.validate(kept) && module.validate(all) ? all : kept;
  }
  function findErrors(): ErrorItem[] {
    const chosen = new Map<string, JsonSchema[]>();
    const entered = ready(chosen);
    return explainChoices(checkEntries(module, entered, shown.fields), module, entered, chosen);
  }

  function show(items: Partial<NodeItems>): void {
    found = { ...found, ...items };
    const before = placed;
    placed = placeItems(found, isNode, before);
    for (const key of new Set([...before.keys(), ...placed.keys()])) if (before.get(key) !== placed.get(key)) call(listeners.ofNode(key));
  }

  function updateShown(): void {
    const before = shown;
    const next = visibleSchema(form, data, can);
    const hasSameFields = isSameData(next.fields, before.fields);
    shown = {
      ...next,
      fields: hasSameFields ? before.fields : next.fields,
      alerts: isSameData(next.alerts, before.alerts) ? before.alerts : next.alerts,
    };
    if (hasSameFields) return;
    const now = new Set(shown.fields);
    for (const path of before.fields.filter((field) => !now.has(field))) {
      const parts = path.split('.');
      releaseFiles(valueIn(data, parts));
      data = withValueIn(data, parts, undefined);
      found = { client: without(found.client, path), server: without(found.server, path) };
      call(listeners.ofValue(path));
    }
    const former = drawn;
    drawn = drawnFields(form, shown.fields);
    show({});
    for (const path of fields.keys())
      if (former.has(path) !== drawn.has(path)) for (const listener of listeners.ofNode(path)) late.add(listener);
  }

  function settle(isUrgent = false): void {
    if (unsettled.size === 0) return;
    const keys = [...unsettled.keys()];
    const paths = [...unsettled.values()];
    unsettled = new Map();
    const called = keys.flatMap((key) => [...listeners.ofChange(key)]);
    const next = schemaData.follow(data, paths, edited.values());
    const hasFollowed = next !== data;
    if (hasFollowed) {
      data = next;
      called.push(...listeners.ofChange(''));
      call(listeners.ofValue(''));
    }
    if (hasFollowed || keys.some((key) => decisive.has(key))) updateShown();
    else for (const path of paths) shown = { ...shown, data: withValueIn(shown.data, path, valueIn(data, path)) };
    recheck(keys);
    for (const listener of called) late.add(listener);
    const now = new Set(late);
    if (isUrgent) {
      late = new Set();
      call(now);
    } else startTransition(() => call(now));
    call(all);
  }

  /** Whether what was marked as wrong, and has to do with what was edited, still is. */
  function recheck(keys: readonly string[]): void {
    const wrong = new Set(
      found.client.flatMap(({ source = '' }) => (keys.some((key) => isWithin(source, key) || isWithin(key, source)) ? [source] : [])),
    );
    if (wrong.size === 0) return;
    const whole = keys.filter((key) => placed.has(key));
    const isListed = ({ source = '' }: ErrorItem): boolean => wrong.has(source) || whole.some((key) => isWithin(source, key));
    show({ client: [...found.client.filter((item) => !isListed(item)), ...findErrors().filter(isListed)] });
  }

  return {
    module,
    schemaData,
    data: () => (isMembers(data) ? data : NO_DATA),
    valueAt: (path) => valueIn(data, path),
    items: (key) => placed.get(key) ?? NO_ITEMS,
    isDrawn: (key) => !fields.has(key) || drawn.has(key),
    visible: () => shown,
    settle: () => settle(),
    isUnsettled: () => unsettled.size + late.size > 0,
    settleNow() {
      settle(true);
      const now = late;
      late = new Set();
      call(now);
    },
    setValue(path, value, isWhole = false) {
      const key = keyOf(path);
      if (Object.is(valueIn(data, path), value) || (fields.has(key) && !shown.fields.includes(key))) return;
      edited.set(key, path);
      data = withValueIn(data, path, value);
      call(listeners.ofValue(key));
      if (found.server.some(({ source = '' }) => isWithin(source, key))) show({ server: without(found.server, key) });
      const isAtOnce = isWhole || decisive.has(key);
      if (unsettled.size === 0 && !isAtOnce) runWhenIdle(() => settle());
      unsettled.set(key, path);
      if (isAtOnce) settle(isWhole);
    },
    fillValue(path, value) {
      data = withValueIn(data, path, value);
      saved = withValueIn(saved, path, value);
      updateShown();
    },
    leaveField(key) {
      settle();
      // Who only passes through has done nothing wrong yet; an empty field is asked for when the form is sent.
      if (![...edited.keys()].some((other) => isWithin(other, key))) return;
      const isListed = ({ source = '' }: ErrorItem): boolean => isWithin(source, key);
      show({ client: [...found.client.filter((item) => !isListed(item)), ...findErrors().filter(isListed)] });
      call(all);
    },
    check() {
      settle();
      const isAlone = fields.size > 0 && schemaData.isPlain;
      // What no field of a plain form stands for is the server's to say.
      const client = findErrors().filter(({ source = '' }) => !isAlone || nodeOf(source, isNode) !== '');
      show({ client });
      call(all);
      if (client.length > 0) return undefined;
      return { data: ready() ?? null };
    },
    placeServerErrors(items) {
      settle();
      const { fields: byPath, rest, blank } = placeErrors(items, form, shown.fields);
      for (const path of blank) data = withValueIn(data, path.split('.'), '');
      for (const path of blank) call(listeners.ofValue(path));
      if (blank.length > 0) updateShown();
      const server = Object.entries(byPath).flatMap(([source, said]) => said.map((item) => ({ ...item, source })));
      const isHeld = ({ source }: ErrorItem): boolean => nodeOf(source ?? '', isNode) !== '';
      show({ server: server.filter(isHeld) });
      call(all);
      return [...rest, ...server.filter((item) => !isHeld(item))];
    },
    wrongNodes() {
      const rank = new Map(shown.fields.map((path, index) => [path, index]));
      const rankOf = (key: string): number => rank.get(fieldAt(form, key)?.path ?? '') ?? Infinity;
      return [...placed.keys()].toSorted((a, b) => (rankOf(a) === rankOf(b) ? 0 : rankOf(a) - rankOf(b)));
    },
    isDirty() {
      settle();
      const before = visibleSchema(form, saved, can);
      return !isSameData(ready(), prepareData(form, shownOnly(before.data), { start: saved, shown: before.fields }));
    },
    markSaved() {
      settle();
      saved = data;
      call(all);
    },
    mount(key, node) {
      nodes.set(key, { node, count: (nodes.get(key)?.count ?? 0) + 1 });
      if (found !== NO_ITEMS) show({});
      return () => {
        const here = nodes.get(key);
        if (!here || here.count > 1) nodes.set(key, { node: here?.node ?? node, count: (here?.count ?? 1) - 1 });
        else nodes.delete(key);
      };
    },
    node: (key) => nodes.get(key)?.node,
    nameNode(id, path) {
      ids.set(id, path);
      return keyOf(path);
    },
    pathOf: (id) => ids.get(id),
    isEditedInside: (key) => [...edited.keys()].some((other) => other !== key && isWithin(other, key)),
    noteChoice: choices.note,
    listen: listeners.add,
    subscribe(listener) {
      all.add(listener);
      return () => all.delete(listener);
    },
  };
}

function without(items: readonly ErrorItem[], key: string): ErrorItem[] {
  return items.filter(({ source = '' }) => !isWithin(source, key));
}

/** Runs work when the browser has nothing more pressing to do, such as painting what was just typed. */
function runWhenIdle(work: () => void): void {
  // Safari has no scheduler.
  if ('scheduler' in globalThis) void scheduler.postTask(work, { priority: 'background' });
  else setTimeout(work, 0);
}
