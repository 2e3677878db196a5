import { fieldAt, valueAt, withValueAt } from '../../../schemas/kit/form-fields.ts';
import { placeErrors } from '../../../schemas/kit/place-errors.ts';
import { visibleSchema } from '../../../schemas/kit/visible-schema.ts';
import { checkEntries } from './check-entries.ts';
import { releaseFiles } from './files.ts';
import { isSameData, prepareData } from './prepare.ts';
import { runSoon } from './soon.ts';
import type { FormModule } from '../../../schemas/kit/form-validator.ts';
import type { ErrorItem, JsonValue } from '../../../schemas/kit/types.ts';
import type { VisibleForm } from '../../../schemas/kit/visible-schema.ts';
import type { FormData } from './prepare.ts';

/** One field as its control sees it. Stays the same object until something of it changes. */
export interface FieldState {
  value: JsonValue | undefined;
  /** What our own rules say; shown once the field was left or the form was sent. */
  client: readonly ErrorItem[];
  /** What the server said; cleared when this field is edited. */
  server: readonly ErrorItem[];
}

export interface FormModel {
  readonly module: FormModule;
  /** A field or group by its path. */
  field(path: string): FieldState;
  data(): FormData;
  /** What is drawn, and its data without hidden values, as of the last `settle`; `fields` and `alerts` stay the same lists while they say the same. */
  visible(): VisibleForm;
  setValue(path: string, value: JsonValue | undefined): void;
  /** The field was left: its rules are checked from now on. */
  leaveField(path: string): void;
  /** Does now what edits have left for later: which fields exist, whether those edited are still wrong, and telling everybody who listens. */
  settle(): void;
  /** Checks everything; answers what may be sent, or `undefined` when something is wrong. */
  check(): Record<string, JsonValue> | undefined;
  /** Puts the server's refusal where it belongs; answers what belongs to no field. */
  placeServerErrors(items: readonly ErrorItem[]): ErrorItem[];
  /** Paths of the fields that are marked as wrong, in the order drawn. */
  wrongFields(): string[];
  isDirty(): boolean;
  /** What stands now counts as saved. */
  markSaved(): void;
  subscribeField(path: string, listener: () => void): () => void;
  subscribe(listener: () => void): () => void;
}

export interface FormModelOptions {
  module: FormModule;
  start: FormData;
  can: (permission: string) => boolean;
}

const NOTHING: readonly ErrorItem[] = [];
const UNTOUCHED: FieldState = { value: undefined, client: NOTHING, server: NOTHING };

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
  let saved: FormData = start;
  let data: FormData = start;
  let shown = visibleSchema(form, data, can);
  let unsettled = new Set<string>();
  // What others depend on decides at once: a field that went and came back within a moment must have lost its value.
  const decisive = new Set(
    [...Object.values(form.fields ?? {}), ...Object.values(form.alerts ?? {})].flatMap((rule) => Object.keys(rule.depends ?? {})),
  );
  const fields = new Map<string, FieldState>();
  const edited = new Set<string>();
  const fieldListeners = new Map<string, Set<() => void>>();
  const listeners = new Set<() => void>();

  function stateOf(path: string): FieldState {
    let state = fields.get(path);
    if (!state) {
      state = { ...UNTOUCHED, value: valueAt(data, path) };
      fields.set(path, state);
    }
    return state;
  }

  function patch(path: string, change: Partial<FieldState>): void {
    const before = stateOf(path);
    const next = { ...before, ...change };
    if (before.client === next.client && before.server === next.server && Object.is(before.value, next.value)) return;
    fields.set(path, next);
    notify(path);
  }

  function notify(path: string): void {
    for (const listener of fieldListeners.get(path) ?? []) listener();
  }

  function changed(): void {
    for (const listener of listeners) listener();
  }

  function ready(): Record<string, JsonValue> {
    return prepareData(form, shown.data, saved);
  }

  /** What our rules say now, by the field that shows it; `before` where it says the same. */
  function findErrors(): (path: string) => readonly ErrorItem[] {
    const found = Map.groupBy(checkEntries(module, ready(), shown.fields), ({ source = '' }) => fieldAt(form, source)?.path ?? '');
    return (path) => sameItems(found.get(path) ?? NOTHING, stateOf(path).client);
  }

  function updateShown(): void {
    const before = shown;
    const drawn = visibleSchema(form, data, can);
    const hasSameFields = isSameData(drawn.fields, before.fields);
    shown = {
      ...drawn,
      fields: hasSameFields ? before.fields : drawn.fields,
      alerts: isSameData(drawn.alerts, before.alerts) ? before.alerts : drawn.alerts,
    };
    if (hasSameFields) return;
    const now = new Set(shown.fields);
    for (const path of before.fields.filter((field) => !now.has(field))) {
      releaseFiles(valueAt(data, path));
      data = withValueAt(data, path, undefined);
      fields.delete(path);
      notify(path);
    }
  }

  function settle(): void {
    if (unsettled.size === 0) return;
    const paths = [...unsettled];
    unsettled = new Set();
    if (paths.some((path) => decisive.has(path))) updateShown();
    else for (const path of paths) shown = { ...shown, data: withValueAt(shown.data, path, valueAt(data, path)) };
    const wrong = paths.filter((path) => stateOf(path).client.length > 0);
    if (wrong.length > 0) {
      const errorsOf = findErrors();
      for (const path of wrong) patch(path, { client: errorsOf(path) });
    }
    changed();
  }

  return {
    module,
    field: stateOf,
    data: () => data,
    visible: () => shown,
    settle,
    setValue(path, value) {
      if (Object.is(valueAt(data, path), value) || !shown.fields.includes(path)) return;
      edited.add(path);
      data = withValueAt(data, path, value);
      patch(path, { value, server: NOTHING });
      if (unsettled.size === 0 && !decisive.has(path)) runSoon(settle);
      unsettled.add(path);
      if (decisive.has(path)) settle();
    },
    leaveField(path) {
      settle();
      // Who only passes through has done nothing wrong yet; an empty field is asked for when the form is sent.
      if (!edited.has(path) || !shown.fields.includes(path)) return;
      patch(path, { client: findErrors()(path) });
      changed();
    },
    check() {
      settle();
      const errorsOf = findErrors();
      for (const path of shown.fields) patch(path, { client: errorsOf(path) });
      changed();
      return shown.fields.every((path) => stateOf(path).client.length === 0) ? ready() : undefined;
    },
    placeServerErrors(items) {
      settle();
      const placed = placeErrors(items, form, shown.fields);
      for (const path of placed.blank) data = withValueAt(data, path, '');
      if (placed.blank.length > 0) updateShown();
      const byField = Map.groupBy(
        Object.entries(placed.fields).flatMap(([source, found]) => found.map((item) => ({ ...item, source }))),
        ({ source }) => fieldAt(form, source)?.path ?? '',
      );
      for (const path of shown.fields) patch(path, { server: byField.get(path) ?? NOTHING, value: valueAt(data, path) });
      changed();
      return placed.rest;
    },
    wrongFields: () => shown.fields.filter((path) => stateOf(path).client.length > 0 || stateOf(path).server.length > 0),
    isDirty() {
      settle();
      return !isSameData(ready(), prepareData(form, visibleSchema(form, saved, can).data, saved));
    },
    markSaved() {
      settle();
      saved = data;
      changed();
    },
    subscribeField(path, listener) {
      const set = fieldListeners.get(path) ?? new Set();
      fieldListeners.set(path, set.add(listener));
      return () => set.delete(listener);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The former list when it says the same, so that a field whose error stands is not drawn again. */
function sameItems(next: readonly ErrorItem[], before: readonly ErrorItem[]): readonly ErrorItem[] {
  const isSame =
    next.length === before.length &&
    next.every(({ code, message, source }, index) => {
      const other = before[index];
      return other?.code === code && other.message === message && other.source === source;
    });
  return isSame ? before : next;
}
