import { Errors } from 'typebox/schema';
import type { CustomField } from '../../../schemas/kit/devices/custom-fields.ts';
import type { CompiledValidator, FormModule } from '../../../schemas/kit/form/form-validator.ts';
import { isMembers } from '../../../schemas/kit/form/form-fields.ts';
import type { FieldUi, FormFile, JsonSchema } from '../../../schemas/kit/form/types.ts';
import { dataProvider } from '../../engine/data/data-provider.ts';
import { withValidator } from '../../engine/form/validators.ts';

const GROUP = 'custom';

/** Judges the fields that ship by their own code, and those of companies without making code, which the page's content policy forbids. */
function validatorFor(module: FormModule, schema: JsonSchema): CompiledValidator {
  const validate: CompiledValidator = (data) => {
    const { [GROUP]: custom = {}, ...rest } = isMembers(data) ? data : {};
    const isRest = module.validate(rest);
    const [isCustom, errors] = Errors(schema, custom);
    const own = isCustom
      ? []
      : errors.map(({ keyword, instancePath, schemaPath, params }) => ({
          keyword,
          instancePath: `/${GROUP}${instancePath}`,
          schemaPath: `#/properties/${GROUP}${schemaPath.replace('#', '')}`,
          params: { ...params },
        }));
    validate.errors = [...(isRest ? [] : (module.validate.errors ?? [])), ...own];
    return isRest && isCustom;
  };
  return validate;
}

const withGroup = (schema: JsonSchema, group: JsonSchema): JsonSchema => ({
  ...schema,
  properties: { ...schema.properties, [GROUP]: group },
  required: [...(schema.required ?? []), GROUP],
});

/** The form of a device with the custom fields that its company gives it as a section. */
export async function withCustomFields(module: FormModule, deviceId: number | string): Promise<FormModule> {
  const { data } = await dataProvider.custom<{ fields: CustomField[]; schema: JsonSchema }>({
    url: `/devices/${encodeURIComponent(String(deviceId))}/custom-fields`,
    method: 'get',
    meta: { survivesRouteChange: true },
  });
  if (data.fields.length === 0) return module;
  const ui = Object.fromEntries(
    data.fields.map(({ name, title, type }): [string, FieldUi] => [
      `${GROUP}.${name}`,
      // Three answers: yes, no, and none.
      { 'ui:label': { en: title }, ...(type === 'boolean' ? { 'ui:widget': 'select' as const } : {}) },
    ]),
  );
  const form: FormFile = {
    ...module.form,
    schema: withGroup(module.form.schema, data.schema),
    ui: { ...module.form.ui, [GROUP]: { 'ui:label': 'forms.devices.edit.custom' }, ...ui },
  };
  const schema = withGroup(module.schema, data.schema);
  return withValidator({ ...module, form, schema, validate: validatorFor(module, data.schema) });
}
