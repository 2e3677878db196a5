import { Errors } from 'typebox/schema';
import type { CustomField } from '../../../schemas/kit/devices/custom-fields.ts';
import type { CompiledValidator, FormModule } from '../../../schemas/kit/form/form-validator.ts';
import { isMembers } from '../../../schemas/kit/form/form-fields.ts';
import type { FieldUi, FormFile, JsonSchema, JsonValue } from '../../../schemas/kit/form/types.ts';
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

interface Fields {
  [member: string]: unknown;
  fields: readonly CustomField[];
  schema: JsonSchema;
}

async function read<T extends Fields>(url: string): Promise<T> {
  const { data } = await dataProvider.custom<T>({ url, method: 'get', meta: { survivesRouteChange: true } });
  return data;
}

/** The form with these fields as a section; the form itself where there are none. */
async function withFields(module: FormModule, { fields, schema: group }: Fields): Promise<FormModule> {
  if (fields.length === 0) return module;
  const ui = Object.fromEntries(
    fields.map(({ name, title, type }): [string, FieldUi] => [
      `${GROUP}.${name}`,
      // Three answers: yes, no, and none.
      { 'ui:label': { en: title }, ...(type === 'boolean' ? { 'ui:widget': 'select' as const } : {}) },
    ]),
  );
  const { order } = module.form;
  const form: FormFile = {
    ...module.form,
    schema: withGroup(module.form.schema, group),
    ui: { ...module.form.ui, [GROUP]: { 'ui:label': 'forms.devices.edit.custom' }, ...ui },
    ...(order ? { order: [...order, GROUP] } : {}),
  };
  return withValidator({ ...module, form, schema: withGroup(module.schema, group), validate: validatorFor(module, group) });
}

/** The form of a device with the custom fields that its company gives it as a section. */
export async function withCustomFields(module: FormModule, deviceId: number | string): Promise<FormModule> {
  return withFields(module, await read<Fields>(`/devices/${encodeURIComponent(String(deviceId))}/custom-fields`));
}

/** A form that adds devices, with the custom fields of the company that is chosen in it as a section. */
export async function withCompanyFields(module: FormModule, companyId: JsonValue | undefined): Promise<FormModule> {
  if (typeof companyId !== 'number') return module;
  const { inherited, fields, schema } = await read<Fields & { inherited: CustomField[] }>(`/companies/${companyId}/custom-fields`);
  return withFields(module, { fields: [...inherited, ...fields], schema });
}

/** The same for many devices at once: what is entered is for those whose line says nothing, so nothing is required here. */
export async function withCompanyFieldsForAll(module: FormModule, companyId: JsonValue | undefined): Promise<FormModule> {
  if (typeof companyId !== 'number') return module;
  const { inherited, fields, schema } = await read<Fields & { inherited: CustomField[] }>(`/companies/${companyId}/custom-fields`);
  const { required: _required, ...optional } = schema;
  return withFields(module, { fields: [...inherited, ...fields], schema: optional });
}
