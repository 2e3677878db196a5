import { useEffect, useRef } from 'react';
import { isMembers } from '../../../schemas/kit/form/form-fields.ts';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import type { JsonSchema, JsonValue } from '../../../schemas/kit/form/types.ts';
import { ApiError, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { findFollowing, findPrefill } from './form-extensions.ts';
import type { FormModel } from './model-types.ts';
import type { FormData } from './prepare.ts';

type Values = Record<string, JsonValue | undefined>;

const propertiesOf = (schema: JsonSchema | undefined): Record<string, JsonSchema> => schema?.properties ?? {};

/** What is known of a group's members after a form with these fields was left: those that it has are as they are there. */
function groupAfter(known: JsonValue | undefined, now: JsonValue | undefined, names: readonly string[]): JsonValue {
  const before = isMembers(known) ? known : {};
  const entered = isMembers(now) ? now : {};
  const others = Object.entries(before).filter(([name]) => !names.includes(name));
  return Object.fromEntries(
    [...others, ...Object.entries(entered)].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Everything that was entered so far, also in fields that the form has no more. */
function enteredAfter(known: Values, { form }: FormModule, data: FormData): Values {
  const properties = propertiesOf(form.schema);
  const next: Values = { ...known };
  for (const [name, schema] of Object.entries(properties))
    next[name] = schema.properties ? groupAfter(known[name], data[name], Object.keys(schema.properties)) : data[name];
  return next;
}

/** Fills a form with what was entered before, as far as it has the fields. */
function fill(model: FormModel, known: Values): void {
  for (const [name, schema] of Object.entries(propertiesOf(model.module.form.schema))) {
    const value = known[name];
    if (!schema.properties) {
      if (value !== undefined) model.setValue([name], value);
      continue;
    }
    for (const [member, inner] of Object.entries(isMembers(value) ? value : {}))
      if (inner !== undefined && Object.hasOwn(schema.properties, member)) model.setValue([name, member], inner);
  }
  model.settle();
}

interface FollowingOptions {
  /** The form as it ships. */
  shipped: FormModule;
  /** What was entered in an earlier view of the form. */
  entered: FormData;
  /** Takes the place of the model. */
  replace: (module: FormModule, fill: (model: FormModel) => void) => void;
}

/** Keeps the fields of a form that follow from another one in step with it; what was entered stays, and is back when its field is. */
export function useFollowingFields(model: FormModel, options: FollowingOptions): void {
  const latest = useRef(options);
  const known = useRef<Values>({ ...options.entered });
  const followed = useRef<JsonValue>(undefined);
  useEffect(() => void (latest.current = options));
  useEffect(() => {
    const { shipped } = latest.current;
    const following = findFollowing(shipped.form.id);
    if (!following) return undefined;
    const path = following.field.split('.');
    let isOver = false;
    async function follow(): Promise<void> {
      const value = model.valueAt(path);
      if (value === followed.current || !following) return;
      followed.current = value;
      try {
        const module = await following.extend(shipped, value);
        if (isOver || followed.current !== value || module === model.module) return;
        known.current = enteredAfter(known.current, model.module, model.data());
        latest.current.replace(module, (made) => fill(made, known.current));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        followed.current = undefined;
        if (!isCancelled(error)) toasts.error(failureMessage(error));
      }
    }
    const leave = model.listen('value', following.field, () => void follow());
    void follow();
    return () => {
      isOver = true;
      leave();
    };
  }, [model]);
}

/** Suggests values that follow from another field: they take the place of nothing, and of what was suggested before. */
export function usePrefilledFields(model: FormModel): void {
  useEffect(() => {
    const prefill = findPrefill(model.module.form.id);
    if (!prefill) return undefined;
    const path = prefill.field.split('.');
    let before = model.valueAt(path);
    return model.listen('value', prefill.field, () => {
      const value = model.valueAt(path);
      const isKnown = Object.values(prefill.values).some((values) => Object.hasOwn(values, String(value)));
      if (value === before || !isKnown) return;
      for (const [field, values] of Object.entries(prefill.values)) {
        const held = model.valueAt([field]);
        const given = values[String(value)];
        if (given !== undefined && (held === undefined || held === values[String(before)])) model.setValue([field], given);
      }
      before = value;
    });
  }, [model]);
}
