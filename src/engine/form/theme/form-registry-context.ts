import type { FieldPathId, Registry, UiSchema } from '@rjsf/utils';
import type { JsonValue, Text } from '../../../../schemas/kit/form/types.ts';
import type { Translate } from '../../../kernel/i18n/index.ts';
import type { FormModel } from '../model-types.ts';

/** What every node is given from above, whatever it is drawn for. */
export interface NodeEvents {
  onChange: (value: JsonValue | undefined, path: FieldPathId['path']) => void;
  onBlur: (id: string) => void;
  onFocus: () => void;
}

/** rjsf's `formContext` of our forms. */
export interface FormRegistryContext {
  model: FormModel;
  /** Of the whole form, to draw members elsewhere than in their group. */
  uiSchema: UiSchema;
  events: NodeEvents;
  t: Translate;
  /** Says a text of the form in the language around. */
  text: (text: Text | undefined) => string;
}

/** Our context in rjsf's registry, which hands it on untyped. */
export function contextOf({ formContext }: Pick<Registry, 'formContext'>): FormRegistryContext {
  return formContext;
}
