import type { ErrorItem, FormFile, JsonSchema } from './types.ts';
import { itemsFromErrors } from './validation-items.ts';
import type { RawError } from './validation-items.ts';

/** A validator as Ajv compiles it. */
export interface CompiledValidator {
  (data: unknown): boolean;
  errors?: RawError[] | null;
}

/** What a compiled form's module exports; `virtual:canopy-forms` answers this. */
export interface FormModule {
  form: FormFile;
  /** `fieldsSchema(form)`. */
  schema: JsonSchema;
  validate: CompiledValidator;
  /** Every validator that @rjsf may ask for, by the hash of its schema. */
  validators: Record<string, CompiledValidator>;
}

/**
 * Checks a form's data in the browser with the rules that the server enforces. Pass the data of `visibleSchema`, and its `fields`, so that
 * a field that this person cannot see is not asked for. Answers the same items as the server; none when the data is right.
 */
export function checkForm(module: Pick<FormModule, 'schema' | 'validate'>, data: unknown, visible: readonly string[]): ErrorItem[] {
  if (module.validate(data)) return [];
  return itemsFromErrors(module.validate.errors, module.schema).filter(({ source }) => {
    const [field] = source?.split('.') ?? [];
    return field === undefined || field === '' || visible.includes(field);
  });
}

interface FieldErrors {
  __errors?: string[];
  [field: string]: FieldErrors | string[] | undefined;
}

function addError(root: FieldErrors, path: readonly string[], message: string): void {
  let place = root;
  for (const part of path) {
    const next = Object.hasOwn(place, part) ? place[part] : undefined;
    const child: FieldErrors = next && !Array.isArray(next) ? next : {};
    place[part] = child;
    place = child;
  }
  place.__errors = [...(place.__errors ?? []), message];
}

interface Options {
  module: FormModule;
  /** Names of the fields that are drawn now. */
  visible: readonly string[];
  /** The text of an item, in the user's language. */
  textOf: (item: ErrorItem) => string;
  /** `hashForSchema` of @rjsf/utils; given, so that the kit brings no copy of it. */
  hashForSchema: (schema: JsonSchema) => string;
}

/**
 * A validator in the shape that @rjsf's `<Form validator>` takes. @rjsf's own precompiled one refuses a schema that differs from the compiled
 * one, and `visibleSchema` differs with the data; this one always checks the whole rules. `isValid` serves `anyOf`/`oneOf` inside a field.
 */
export function makeFormValidator({ module, visible, textOf, hashForSchema }: Options) {
  const check = (data: unknown): ErrorItem[] => checkForm(module, data, visible);
  return {
    isValid(schema: JsonSchema, data: unknown): boolean {
      const validate = module.validators[hashForSchema(schema)];
      return validate ? validate(data) : check(data).length === 0;
    },
    rawValidation(_schema: JsonSchema, data: unknown) {
      return { errors: module.validate(data) ? undefined : (module.validate.errors ?? undefined) };
    },
    validateFormData(data: unknown) {
      const items = check(data);
      const errorSchema: FieldErrors = {};
      const errors = items.map((item) => {
        const message = textOf(item);
        const path = item.source?.split('.') ?? [];
        addError(errorSchema, path, message);
        return {
          name: String(item.params?.keyword ?? item.code),
          property: path.map((part) => `.${part}`).join(''),
          message,
          stack: message,
          params: item.params,
        };
      });
      return { errors, errorSchema };
    },
    reset(): void {
      module.validate.errors = null;
    },
  };
}
