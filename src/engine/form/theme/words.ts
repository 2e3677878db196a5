import { getUiOptions, type Registry, type RJSFSchema, type UiSchema } from '@rjsf/utils';

import { fieldsOf } from '../../../../schemas/kit/form/form-fields.ts';
import { contextOf } from './form-registry-context.ts';

/** The sentences below a control: advice (`ui:help` and the description), and facts (`ui:subtext`). */
export interface NodeWords {
  hint: string;
  subtext: string;
}

/** See `NodeWords`. The frame draws these, and the control names them, so both ask here. */
export function wordsOf(schema: RJSFSchema, uiSchema: UiSchema | undefined, registry: Registry): NodeWords {
  const { description = schema.description, help, subtext, path } = getUiOptions(uiSchema, registry.globalUiOptions);
  const { model, text } = contextOf(registry);
  const deprecated = fieldsOf(model.module.form).get(String(path))?.rule.deprecated;
  return { hint: [description, help].filter(isWords).join(' '), subtext: [subtext, text(deprecated)].filter(isWords).join(' ') };
}

function isWords(part: unknown): part is string {
  return typeof part === 'string' && part !== '';
}

/** An element's id for a node: rjsf's own, without the blanks that names may hold and ids may not. */
export function elementId(id: string): string {
  return id.replaceAll(/\s/g, '_');
}
