import { compileFormBody } from '../form/compile-body.ts';
import { dataFaults } from '../form/data-faults.ts';
import { enforcedSchema } from '../form/enforced-schema.ts';
import { withEntryFaults } from '../form/entry-faults.ts';
import type { ErrorItem, FormFile, JsonSchema } from '../form/types.ts';

/**
 * The whole validation of what is sent for a form: by the schema, and of masks, times and JSON in texts, which a schema cannot express. The same as
 * `checkForm` in the browser. The schema is compiled when the first data comes.
 */
export function compileForm(form: FormFile, schema: JsonSchema = enforcedSchema(form)): (data: unknown) => ErrorItem[] {
  return (data) => {
    const unfit = dataFaults(data);
    return unfit.length > 0 ? unfit : withEntryFaults(form, data, compileFormBody(schema)(data));
  };
}
