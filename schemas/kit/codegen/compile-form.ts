import { compileFormBody } from '../form/compile-body.ts';
import { dataFaults } from '../form/data-faults.ts';
import { enforcedSchema } from '../form/enforced-schema.ts';
import { readOnlyCheck } from '../form/read-only.ts';
import { withEntryFaults } from '../form/entry-faults.ts';
import type { ErrorItem, FormFile, JsonSchema } from '../form/types.ts';

/**
 * The whole validation of what is sent for a form: by the schema, and of masks, times and JSON in texts, which a schema cannot express, as `checkForm` does
 * in the browser; and that nothing came for what the form only shows. The schema is compiled when the first data comes.
 */
export function compileForm(form: FormFile, schema: JsonSchema = enforcedSchema(form)): (data: unknown) => ErrorItem[] {
  const findChanged = readOnlyCheck(schema);
  return (data) => {
    const unfit = dataFaults(data);
    if (unfit.length > 0) return unfit;
    const items = withEntryFaults(form, data, compileFormBody(schema)(data));
    return items.length > 0 ? items : findChanged(data);
  };
}
