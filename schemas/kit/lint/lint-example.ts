import { loadMeta } from '../codegen/load.ts';
import type { LintOptions } from './lint.ts';

/** Where the example form of the linter's tests would stand. */
export const EXAMPLE_PATH = 'forms/tags/new.form.json';

/** A right form; line and column of each part are what the linter's tests name. */
export const EXAMPLE_FORM = `{
  "$schema": "../../meta/form.meta.json",
  "id": "tags/new",
  "title": "forms.tags.new.title",
  "surface": "dialog",
  "help": "tags",
  "permission": "create_tags",
  "schema": {
    "type": "object",
    "additionalProperties": false,
    "required": ["name", "kind"],
    "properties": {
      "name": { "type": "string", "maxLength": 100, "format": "name" },
      "kind": { "type": "string", "enum": ["plain", "coloured"], "default": "plain" },
      "color": { "type": "string", "format": "color", "pattern": "^#[0-9a-f]+$" },
      "company_id": { "type": "integer", "minimum": 1 }
    }
  },
  "fields": { "color": { "depends": { "kind": ["coloured"] }, "required": true, "permission": "create_tags" } },
  "ui": {
    "name": { "ui:widget": "text", "ui:autofocus": true },
    "kind": { "ui:widget": "radio", "ui:options": { "labels": { "plain": "fields.name", "coloured": { "en": "Coloured" } } } },
    "company_id": { "ui:widget": "lookup", "ui:options": { "lookup": "companies", "params": { "kind": "{kind}" } } }
  },
  "order": ["kind", "name"],
  "submit": {
    "method": "POST",
    "path": "/tags",
    "success": { "then": "close", "reload": ["tags"] },
    "errors": { "fields": { "company": "company_id" } }
  },
  "examples": [{ "name": "ferry", "kind": "plain" }]
}
`;

/** The names that the example refers to. */
export const exampleOptions: LintOptions = {
  meta: loadMeta(),
  texts: new Set(['forms.tags.new.title', 'fields.name', 'fields.kind', 'fields.color', 'fields.company_id', 'validation.minItems_other']),
  resources: new Set(['tags']),
  known: { permissions: new Set(['create_tags']), lookups: new Set(['companies']), help: new Set(['tags']) },
};
