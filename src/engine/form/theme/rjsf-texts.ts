import { TranslatableString } from '@rjsf/utils';
import type { Translate } from '../../../kernel/i18n/index.ts';

/** Our texts in place of rjsf's; `%1` and `%2` of those are `{one}` and `{two}` of ours. */
const KEYS: Partial<Record<TranslatableString, string>> = {
  [TranslatableString.ArrayItemTitle]: 'form.schema.item',
  [TranslatableString.MissingItems]: 'form.schema.missing_items',
  [TranslatableString.YesLabel]: 'form.schema.yes',
  [TranslatableString.NoLabel]: 'form.schema.no',
  [TranslatableString.NewStringDefault]: 'form.schema.new_value',
  [TranslatableString.AddButton]: 'form.schema.add',
  [TranslatableString.AddItemButton]: 'form.schema.add',
  [TranslatableString.OptionalObjectAdd]: 'form.schema.optional.add',
  [TranslatableString.OptionalObjectRemove]: 'form.schema.optional.remove',
  [TranslatableString.OptionalObjectEmptyMsg]: 'form.schema.optional.empty',
  [TranslatableString.Type]: 'form.schema.type',
  [TranslatableString.Value]: 'form.schema.value',
  [TranslatableString.UnknownFieldType]: 'form.schema.unknown_type',
  [TranslatableString.OptionPrefix]: 'form.schema.option',
  [TranslatableString.TitleOptionPrefix]: 'form.schema.title_option',
  [TranslatableString.DeprecatedLabel]: 'form.schema.deprecated',
  [TranslatableString.InvalidObjectField]: 'form.schema.invalid_object',
  [TranslatableString.UnsupportedField]: 'form.schema.unsupported',
};

/** rjsf's `translateString` in the language of `t`. What our templates never say stays in English. */
export function stringTranslator(t: Translate): (text: TranslatableString, params?: string[]) => string {
  return (text, [one = '', two = ''] = []) => {
    const key = KEYS[text];
    return key === undefined ? text.replace('%1', one).replace('%2', two) : t(key, { one, two });
  };
}
