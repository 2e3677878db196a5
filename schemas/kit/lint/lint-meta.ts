import type { ErrorObject, ValidateFunction } from 'ajv';
import { makeAjv } from '../form/compile-body.ts';
import type { JsonPath, LintSource } from './lint-source.ts';
import { didYouMean } from './nearest.ts';

function toPath(instancePath: string, value: unknown): JsonPath {
  const path: JsonPath = [];
  let here = value;
  for (const raw of instancePath.split('/').slice(1)) {
    const part = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(here) ? Number(part) : part);
    here = typeof here === 'object' && here !== null ? Reflect.get(here, part) : undefined;
  }
  return path;
}

function membersOf(schema: unknown): string[] {
  const properties = typeof schema === 'object' && schema !== null ? Reflect.get(schema, 'properties') : undefined;
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

function list(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}

function report(source: LintSource, error: ErrorObject): void {
  const at = toPath(error.instancePath, source.value);
  const { keyword, params } = error;
  switch (keyword) {
    case 'additionalProperties': {
      const key = String(params.additionalProperty);
      const known = membersOf(error.parentSchema);
      return source.report(
        [...at, key],
        'unknown-key',
        `The key "${key}" is not known here.${didYouMean(key, known) || ` Known: ${known.join(', ')}.`}`,
        'key',
      );
    }
    case 'required':
      return source.report(at, 'missing-key', `The key "${String(params.missingProperty)}" is missing.`);
    case 'propertyNames':
      return source.report(
        [...at, String(params.propertyName)],
        'bad-name',
        `"${String(params.propertyName)}" is not a name that can stand here: ${String(error.parentSchema?.propertyNames?.pattern ?? '')}.`,
        'key',
      );
    case 'enum': {
      const allowed = Array.isArray(params.allowedValues) ? params.allowedValues : [];
      const guess =
        typeof error.data === 'string'
          ? didYouMean(
              error.data,
              allowed.filter((value) => typeof value === 'string'),
            )
          : '';
      return source.report(at, 'wrong-value', `${JSON.stringify(error.data)} is not one of ${list(allowed)}.${guess}`);
    }
    case 'const':
      return source.report(at, 'wrong-value', `This must be ${JSON.stringify(params.allowedValue)}.`);
    case 'type':
      return source.report(at, 'wrong-type', `This must be of type ${String(params.type).replaceAll(',', ' or ')}.`);
    case 'pattern':
      // The names of properties are reported by `propertyNames`.
      if (error.propertyName !== undefined) return undefined;
      return source.report(at, 'wrong-value', `${JSON.stringify(error.data)} does not match ${String(params.pattern)}.`);
    case 'if':
      return undefined;
    default:
      return source.report(at, 'wrong-value', `This breaks the rule ${keyword} ${JSON.stringify(Object.values(params)[0] ?? '')}.`);
  }
}

const compiled = new WeakMap<object, ValidateFunction>();

/** Compiles a meta-schema of `schemas/meta/` for `checkMeta`; the same object is compiled once, as that is most of the work of judging a file. */
export function compileMeta(meta: object): ValidateFunction {
  let validate = compiled.get(meta);
  if (!validate) {
    validate = makeAjv({ verbose: true, strict: false, ownProperties: false }).compile(meta);
    compiled.set(meta, validate);
  }
  return validate;
}

/** Checks a file against its meta-schema and reports each fault at its position. Answers whether the file has the right shape. */
export function checkMeta(source: LintSource, meta: ValidateFunction): boolean {
  if (meta(source.value)) return true;
  for (const error of (meta.errors ?? []).slice(0, 50)) report(source, error);
  return false;
}
