import hashForSchema from '@rjsf/utils/lib/hashForSchema.js';
import schemaParser from '@rjsf/utils/lib/parser/schemaParser.js';
import type { RJSFSchema } from '@rjsf/utils';
import type { Ajv } from 'ajv';
import { drawnSchema } from './drawn-schema.ts';
import { isRecursive, withRefsTo } from './refs.ts';
import { innerSchemas, isSchema, partsOf } from './schema-parts.ts';
import type { JsonSchema } from './types.ts';

/** Keywords of which a form has to know, while it is drawn, whether a schema fits. */
const CHOICES = ['oneOf', 'anyOf', 'if', 'dependencies', 'dependentSchemas'] as const;
/** What rjsf's parser walks through. */
const WALKED: ReadonlySet<string> = new Set(['properties', 'items', 'allOf', 'definitions', '$defs']);

/** Whether rjsf asks anything about the data of such a form while it draws it. */
function hasChoice(schema: JsonSchema): boolean {
  return CHOICES.some((key) => schema[key] !== undefined);
}

/** Whether a choice is where rjsf's parser does not go. */
function hasHiddenChoice(schema: JsonSchema, isWalked = true): boolean {
  if (!isWalked && hasChoice(schema)) return true;
  return innerSchemas(schema).some(({ schema: inner, keyword, at }) => {
    const isTuple = keyword === 'items' && at.length > 1;
    return hasHiddenChoice(inner, isWalked && WALKED.has(keyword) && !isTuple);
  });
}

/** What rjsf asks about, by the hash it goes by. */
export interface AskedParts {
  /** Names under which the parts were added to the Ajv, by hash. */
  names: Record<string, string>;
  /** There is more that rjsf may ask about. */
  isOpen: boolean;
}

/** What rjsf's parser asks about while it goes through a schema, by hash. */
function askedByParser(schema: JsonSchema): [string, JsonSchema][] {
  const own = schema.$id ?? hashForSchema(schema);
  return Object.entries(schemaParser<RJSFSchema>(schema as RJSFSchema)).flatMap(([hash, asked]) => {
    // The parser gives its parts the hash for an id; one of their own leads to what is around them.
    const { $id, ...part } = asked as JsonSchema;
    return hash === own ? [] : [[hash, $id === hash ? part : { $id, ...part }]];
  });
}

/** The schemas that people choose from (`oneOf`, `anyOf`), which say what is wrong with the data of the chosen one. */
function optionsIn(schema: JsonSchema): [string, JsonSchema][] {
  return [...partsOf(schema)].flatMap(({ schema: { oneOf = [], anyOf = [] } }) =>
    [...oneOf, ...anyOf].flatMap((option): [string, JsonSchema][] => (isSchema(option) ? [[hashForSchema(option), option]] : [])),
  );
}

/**
 * Adds to an Ajv every part of a form's schema that rjsf asks about while it draws (`schemaParser`), and every choice, with references to the schema that
 * was added under `rootKey`. Throws when rjsf cannot follow a reference.
 */
export function addParts(ajv: Ajv, written: JsonSchema, rootKey: string): AskedParts {
  const schema = drawnSchema(written);
  if (![...partsOf(schema)].some((part) => hasChoice(part.schema))) return { names: {}, isOpen: false };
  // The parser would unfold a recursive schema for ever.
  const isOpenEnded = isRecursive(schema);
  const asked = new Map([...optionsIn(schema), ...(isOpenEnded ? [] : askedByParser(schema))]);
  const names: Record<string, string> = {};
  let isOpen = isOpenEnded || hasHiddenChoice(schema);
  for (const [hash, part] of asked) {
    const name = `part:${Object.keys(names).length}`;
    try {
      ajv.addSchema(withRefsTo(part, rootKey), name);
      ajv.getSchema(name);
      names[hash] = name;
    } catch {
      // It refers to something by a name that only the whole knows.
      ajv.removeSchema(name);
      isOpen = true;
    }
  }
  return { names, isOpen };
}
