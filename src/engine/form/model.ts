import { placeErrors } from '../../../schemas/kit/place-errors.ts';
import { checkForm } from '../../../schemas/kit/form-validator.ts';
import { visibleSchema } from '../../../schemas/kit/visible-schema.ts';
import { isSameData, prepareData } from './prepare.ts';
import type { FormModule } from '../../../schemas/kit/form-validator.ts';
import type { ErrorItem, JsonValue } from '../../../schemas/kit/types.ts';
import type { VisibleForm } from '../../../schemas/kit/visible-schema.ts';
import type { FormData } from './prepare.ts';

/** One field as its control sees it. Stays the same object until something of it changes. */
export interface FieldState {
  value: JsonValue | undefined;
  /** What our own rules say; shown once the field was left or the form was sent. */
  client: ErrorItem | undefined;
  /** What the server said; cleared when this field is edited. */
  server: readonly ErrorItem[];
}

export interface FormModel {
  readonly module: FormModule;
  field(name: string): FieldState;
  data(): FormData;
  /** What is drawn now, and its data without hidden values. */
  visible(): VisibleForm;
  setValue(name: string, value: JsonValue | undefined): void;
  /** The field was left: its rules are checked from now on. */
  leaveField(name: string): void;
  /** Checks everything; answers what may be sent, or `undefined` when something is wrong. */
  check(): Record<string, JsonValue> | undefined;
  /** Puts the server's refusal where it belongs; answers what belongs to no field. */
  placeServerErrors(items: readonly ErrorItem[]): ErrorItem[];
  /** Names of the fields that are marked as wrong, in the order drawn. */
  wrongFields(): string[];
  isDirty(): boolean;
  /** What stands now counts as saved. */
  markSaved(): void;
  subscribeField(name: string, listener: () => void): () => void;
  subscribe(listener: () => void): () => void;
}

export interface FormModelOptions {
  module: FormModule;
  start: FormData;
  can: (permission: string) => boolean;
}

const UNTOUCHED: FieldState = { value: undefined, client: undefined, server: [] };

/**
 * The state of one form on screen, outside React, so that a change reaches only the field it is about. Rules (docs/checks.md F1 to F5):
 * a field is checked when it is left after an edit, and when the form is sent; once it is wrong it is checked again on every change; an edit clears
 * the field's own server error and no other; a field that is hidden loses its value.
 */
export function createFormModel({ module, start, can }: FormModelOptions): FormModel {
  const { form } = module;
  let saved: FormData = start;
  let data: FormData = start;
  let shown = visibleSchema(form, data, can);
  const fields = new Map<string, FieldState>();
  const edited = new Set<string>();
  const fieldListeners = new Map<string, Set<() => void>>();
  const listeners = new Set<() => void>();

  function stateOf(name: string): FieldState {
    let state = fields.get(name);
    if (!state || !Object.is(state.value, data[name])) {
      state = { ...(state ?? UNTOUCHED), value: data[name] };
      fields.set(name, state);
    }
    return state;
  }

  function patch(name: string, change: Partial<FieldState>): void {
    const before = stateOf(name);
    const next = { ...before, ...change };
    if (Object.is(before.client, next.client) && before.server === next.server && Object.is(before.value, next.value)) return;
    fields.set(name, next);
    notify(name);
  }

  function notify(name: string): void {
    for (const listener of fieldListeners.get(name) ?? []) listener();
  }

  function changed(): void {
    for (const listener of listeners) listener();
  }

  function ready(): Record<string, JsonValue> {
    return prepareData(form, shown.data, saved);
  }

  function firstErrors(): Map<string, ErrorItem> {
    const found = new Map<string, ErrorItem>();
    for (const item of checkForm(module, ready(), shown.fields)) {
      const name = item.source?.split('.')[0] ?? '';
      if (!found.has(name)) found.set(name, item);
    }
    return found;
  }

  function setData(next: FormData): void {
    data = next;
    const before = shown;
    const drawn = visibleSchema(form, data, can);
    // The same fields need no new schema: nothing but values changed.
    shown = isSameData(drawn.fields, before.fields) ? { ...before, data: drawn.data } : drawn;
    const gone = before.fields.filter((name) => !shown.fields.includes(name));
    if (gone.length === 0) return;
    const kept: Record<string, JsonValue | undefined> = { ...data };
    for (const name of gone) delete kept[name];
    data = kept;
    for (const name of gone) {
      fields.delete(name);
      notify(name);
    }
  }

  return {
    module,
    field: stateOf,
    data: () => data,
    visible: () => shown,
    setValue(name, value) {
      if (Object.is(data[name], value)) return;
      edited.add(name);
      const before = stateOf(name);
      setData({ ...data, [name]: value });
      const client = before.client ? sameItem(firstErrors().get(name), before.client) : undefined;
      fields.set(name, { value, client, server: before.server.length > 0 ? [] : before.server });
      notify(name);
      changed();
    },
    leaveField(name) {
      // Who only passes through has done nothing wrong yet; an empty field is asked for when the form is sent.
      if (shown.fields.includes(name) && edited.has(name)) patch(name, { client: sameItem(firstErrors().get(name), stateOf(name).client) });
      changed();
    },
    check() {
      const found = firstErrors();
      for (const name of shown.fields) patch(name, { client: sameItem(found.get(name), stateOf(name).client) });
      changed();
      return found.size === 0 ? ready() : undefined;
    },
    placeServerErrors(items) {
      const placed = placeErrors(items, form, shown.fields);
      for (const name of placed.blank) setData({ ...data, [name]: '' });
      const byField = new Map<string, ErrorItem[]>();
      for (const [path, found] of Object.entries(placed.fields)) {
        const name = path.split('.')[0] ?? path;
        byField.set(name, [...(byField.get(name) ?? []), ...found]);
      }
      for (const name of shown.fields) patch(name, { server: byField.get(name) ?? [], value: data[name] });
      for (const name of placed.blank) notify(name);
      changed();
      return placed.rest;
    },
    wrongFields: () => shown.fields.filter((name) => stateOf(name).client !== undefined || stateOf(name).server.length > 0),
    isDirty: () => !isSameData(ready(), prepareData(form, visibleSchema(form, saved, can).data, saved)),
    markSaved() {
      saved = data;
      changed();
    },
    subscribeField(name, listener) {
      const set = fieldListeners.get(name) ?? new Set();
      fieldListeners.set(name, set.add(listener));
      return () => set.delete(listener);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The former object when it says the same, so that a field whose error stands is not drawn again. */
function sameItem(next: ErrorItem | undefined, before: ErrorItem | undefined): ErrorItem | undefined {
  return next && before && next.message === before.message && next.code === before.code ? before : next;
}
