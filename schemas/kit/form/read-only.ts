import { isDeepStrictEqual } from 'node:util';
import { compileWithKeywords } from './compile-body.ts';
import { englishText } from './messages.ts';
import { partsOf } from './schema-parts.ts';
import type { ErrorItem, JsonSchema } from './types.ts';

type ReadOnlyCheck = (data: unknown) => ErrorItem[];

function itemAt(instancePath: string): ErrorItem {
  const parts = instancePath.split('/').slice(1);
  const source = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
  const key = 'validation.readOnly';
  return { code: 'INVALID_FIELD', message: englishText(key), ...(source === '' ? {} : { source }), params: { key, keyword: 'readOnly' } };
}

const checks = new WeakMap<JsonSchema, ReadOnlyCheck>();

/**
 * A function that finds what was sent for members that are `readOnly`, at any depth: their default may come back as it is, anything else was not entered in
 * the form. Compiled when it is first asked; answers at once for a schema without such members. Server only: what a form shows is the console's own.
 */
export function readOnlyCheck(schema: JsonSchema): ReadOnlyCheck {
  const check = checks.get(schema) ?? makeCheck(schema);
  checks.set(schema, check);
  return check;
}

function makeCheck(schema: JsonSchema): ReadOnlyCheck {
  if (![...partsOf(schema)].some((part) => part.schema.readOnly === true)) return () => [];
  let check: ReturnType<typeof compileReadOnly> | undefined;
  return (data) => {
    check ??= compileReadOnly(schema);
    return check(data).flatMap(({ keyword, instancePath }) => (keyword === 'readOnly' ? [itemAt(instancePath)] : []));
  };
}

function compileReadOnly(schema: JsonSchema): ReturnType<typeof compileWithKeywords> {
  return compileWithKeywords(schema, (ajv) => {
    ajv.removeKeyword('readOnly');
    ajv.addKeyword({
      keyword: 'readOnly',
      schemaType: 'boolean',
      compile: (isReadOnly: boolean, parent) => (data: unknown) => !isReadOnly || isDeepStrictEqual(data, parent['default']),
    });
  });
}
