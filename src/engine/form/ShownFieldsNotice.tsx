import { useState } from 'react';
import { fieldsOf } from '../../../schemas/kit/form/form-fields.ts';
import { widgetOf } from '../../../schemas/kit/form/widget-of.ts';
import { currentLanguage, useT, useText } from '../../kernel/i18n/index.ts';
import { labelOf } from './field-texts.ts';
import type { FormFile } from '../../../schemas/kit/form/types.ts';

/** Says to a screen reader which fields came and went with the last edit (docs/checks.md F5); of a group its name only. */
export function ShownFieldsNotice({ form, fields }: { form: FormFile; fields: readonly string[] }) {
  const t = useT();
  const text = useText();
  const [seen, setSeen] = useState<{ fields: readonly string[]; came: string[]; went: string[] }>({ fields, came: [], went: [] });
  if (seen.fields !== fields)
    setSeen({ fields, came: missingFrom(seen.fields, fields, form), went: missingFrom(fields, seen.fields, form) });
  const names = (paths: readonly string[]) => new Intl.ListFormat(currentLanguage()).format(paths.map((path) => text(labelOf(form, path))));
  return (
    <span className="visually-hidden" role="status">
      {seen.came.length > 0 ? `${t('form.fields_came', { fields: names(seen.came) })} ` : ''}
      {seen.went.length > 0 ? t('form.fields_went', { fields: names(seen.went) }) : ''}
    </span>
  );
}

/** What of `list` is not in `others` and is drawn by a name of its own. */
function missingFrom(others: readonly string[], list: readonly string[], form: FormFile): string[] {
  const known = new Set(others);
  const missing = new Set(list.filter((path) => !known.has(path)));
  return [...missing].filter((path) => {
    const field = fieldsOf(form).get(path);
    return field !== undefined && !missing.has(field.parent) && widgetOf(field.schema, field.ui) !== 'hidden';
  });
}
