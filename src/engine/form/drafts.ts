import { fieldsOf } from '../../../schemas/kit/form/form-fields.ts';
import { mayHoldPassword, uiNodeAt } from '../../../schemas/kit/form/own-widgets.ts';
import type { FieldUi, FormFile, JsonValue, Text } from '../../../schemas/kit/form/types.ts';
import type { JobStartProps } from '../actions/job-start.ts';
import type { FormData } from './prepare.ts';
import type { FormTarget } from './submit.ts';

/** Entries of a form that had to be left because the session ended. */
export interface Draft {
  formId: string;
  title: Text;
  target: FormTarget;
  /** It was open in a window, which no address leads back to. */
  isWindow: boolean;
  /** It asked for what this job needs, whose dialog is opened again. */
  job?: JobStartProps;
  data: FormData;
}

const PREFIX = 'canopy.draft.';

/** Passwords and files are never kept, at any depth. */
export function withoutSecrets(data: FormData, ui: Readonly<Record<string, FieldUi>> = {}): FormData {
  const secret = Object.keys(ui).filter((path) => ui[path]?.['ui:widget'] === 'password' || ui[path]?.['ui:widget'] === 'file');
  const isSecret = new Set(secret);
  function strip(value: JsonValue, path: string): JsonValue {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(keptMembers(value, `${path}.`));
  }
  function keptMembers(members: FormData, prefix: string): [string, JsonValue][] {
    return Object.entries(members).flatMap(([name, value]): [string, JsonValue][] =>
      value === undefined || isSecret.has(prefix + name) ? [] : [[name, strip(value, prefix + name)]],
    );
  }
  return Object.fromEntries(keptMembers(data, ''));
}

/** What of a form's entries may be kept: no password and no file, in whichever way the form says that it is one. */
export function keepableData(form: FormFile, data: FormData): FormData {
  const fields = fieldsOf(form);
  const inside = [...fields.values()].filter(
    ({ path, schema, isGroup }) => !isGroup && mayHoldPassword(form, schema, uiNodeAt(form, path)),
  );
  // Members that come from a condition or a choice are described somewhere in the whole.
  const others = mayHoldPassword(form, form.schema, form.uiSchema) ? Object.keys(data).filter((name) => !fields.has(name)) : [];
  const secret = [...inside.map(({ path }) => path), ...others].map((path) => [path, { 'ui:widget': 'password' }] as const);
  const own = [...fields.values()].map(({ path, ui }) => [path, ui] as const);
  return withoutSecrets(data, Object.fromEntries([...own, ...secret]));
}

function keyOf(userId: number, formId: string, { id, devices }: FormTarget): string {
  return `${PREFIX}${userId}.${formId}.${id ?? (devices ? JSON.stringify(devices) : '')}`;
}

/** Keeps a draft in this tab, for its user, form and record. A browser that keeps nothing loses it. */
export function keepDraft(userId: number, draft: Draft): void {
  try {
    sessionStorage.setItem(keyOf(userId, draft.formId, draft.target), JSON.stringify(draft));
  } catch {
    // Storage refused or full: the entries are lost, as they are without drafts.
  }
}

/** The entries kept for this user, form and record. */
export function findDraft(userId: number, formId: string, target: FormTarget): FormData | undefined {
  return readDraft(keyOf(userId, formId, target))?.data;
}

/** Forgets the entries of this user, form and record: they are on screen again. */
export function forgetDraft(userId: number, formId: string, target: FormTarget): void {
  if (findDraft(userId, formId, target)) sessionStorage.removeItem(keyOf(userId, formId, target));
}

/** The drafts of this user; those of anybody else are forgotten. */
export function draftsOf(userId: number): Draft[] {
  const own = `${PREFIX}${userId}.`;
  for (const key of keysWith(PREFIX)) if (!key.startsWith(own)) sessionStorage.removeItem(key);
  return keysWith(own).flatMap((key) => readDraft(key) ?? []);
}

/** Forgets every draft: for signing out. */
export function forgetDrafts(): void {
  for (const key of keysWith(PREFIX)) sessionStorage.removeItem(key);
}

function keysWith(prefix: string): string[] {
  try {
    return Object.keys(sessionStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

function readDraft(key: string): Draft | undefined {
  try {
    // Written by `keepDraft` under this key.
    return (JSON.parse(sessionStorage.getItem(key) ?? 'null') as Draft | null) ?? undefined;
  } catch {
    return undefined;
  }
}
