import { Errors } from 'typebox/schema';
import type { ConfigSection } from '../../../schemas/kit/devices/configuration.ts';
import type { CompiledValidator, FormModule } from '../../../schemas/kit/form/form-validator.ts';
import type { FieldUi, FormFile, JsonSchema, Text } from '../../../schemas/kit/form/types.ts';
import { withValidator } from '../../engine/form/validators.ts';

/** Judges data without making code, which the page's content policy forbids. */
function validatorFor(schema: JsonSchema): CompiledValidator {
  const validate: CompiledValidator = (data) => {
    const [isRight, errors] = Errors(schema, data);
    validate.errors = isRight
      ? null
      : errors.map(({ keyword, instancePath, schemaPath, params }) => ({ keyword, instancePath, schemaPath, params: { ...params } }));
    return isRight;
  };
  return validate;
}

/** The form of one section of settings, as rjsf draws it. `hints` are shown below the options. */
export function sectionForm(section: ConfigSection, hints: Readonly<Record<string, Text>>): Promise<FormModule> {
  const { schema, labels, secrets } = section;
  const ui = Object.fromEntries(
    Object.keys(schema.properties).map((key): [string, FieldUi] => {
      const [label, hint] = [labels[key], hints[key]];
      const isBoolean = schema.properties[key]?.type === 'boolean';
      return [
        key,
        {
          ...(label === undefined ? {} : { 'ui:label': label }),
          ...(hint === undefined ? {} : { 'ui:hint': hint }),
          ...(secrets.includes(key) ? { 'ui:widget': 'password' as const, 'ui:autocomplete': 'new-password' } : {}),
          // Three answers: yes, no, and as it is.
          ...(isBoolean ? { 'ui:widget': 'select' as const } : {}),
        },
      ];
    }),
  );
  const form: FormFile = {
    $schema: '',
    id: `configuration/${section.id}`,
    title: section.title,
    surface: 'page',
    permission: 'create_multi_configuration',
    schema,
    ui,
    submit: { method: 'POST', path: '/devices/configurator/configure', success: { then: 'stay' } },
    examples: [],
  };
  return withValidator({ form, schema, validate: validatorFor(schema), parts: {}, hasOpenParts: false });
}
