export type JsonPrimitive = string | number | boolean | null;

export type JsonValue = JsonPrimitive | JsonValue[] | { [key: string]: JsonValue };

export type SchemaType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';

/** The part of JSON Schema (draft 7, with the newer words of 2019-09 and 2020-12) that can be drawn and enforced; `meta/form.meta.json` refuses the rest. */
export interface JsonSchema {
  $schema?: string;
  $id?: string;
  $ref?: string;
  $comment?: string;
  definitions?: Record<string, JsonSchema>;
  $defs?: Record<string, JsonSchema>;
  type?: SchemaType | SchemaType[];
  title?: string;
  description?: string;
  examples?: JsonValue[];
  readOnly?: boolean;
  writeOnly?: boolean;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  patternProperties?: Record<string, JsonSchema>;
  propertyNames?: JsonSchema;
  dependencies?: Record<string, JsonSchema | string[]>;
  dependentRequired?: Record<string, string[]>;
  dependentSchemas?: Record<string, JsonSchema>;
  /** What each item must be, or each of the first ones by its place (up to draft 2019-09). */
  items?: boolean | JsonSchema | JsonSchema[];
  prefixItems?: JsonSchema[];
  additionalItems?: boolean | JsonSchema;
  contains?: JsonSchema;
  enum?: JsonValue[];
  /** Texts of `enum`, as rjsf reads them. */
  enumNames?: string[];
  const?: JsonValue;
  default?: JsonValue;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minProperties?: number;
  maxProperties?: number;
  contentEncoding?: string;
  contentMediaType?: string;
  /** Names the member that says which of `oneOf` is meant; helps drawing, changes no verdict. */
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  if?: JsonSchema;
  then?: JsonSchema;
  else?: JsonSchema;
  not?: JsonSchema;
}
