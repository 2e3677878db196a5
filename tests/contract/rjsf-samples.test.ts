import { readdirSync, readFileSync } from 'node:fs';
import { createSchemaUtils, type RJSFSchema } from '@rjsf/utils';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completeForm } from '../../schemas/kit/form/complete-form.ts';
import { validatorOf } from '../../schemas/kit/form/form-parts.ts';
import { checkForm, type FormModule } from '../../schemas/kit/form/form-validator.ts';
import { importForm } from '../../schemas/kit/form/import-form.ts';
import type { JsonSchema, JsonValue } from '../../schemas/kit/form/types.ts';
import { uiSchemaOf } from '../../schemas/kit/form/ui-schema.ts';
import { visibleSchema } from '../../schemas/kit/form/visible-schema.ts';
import { inspectForm } from '../../server/features/forms/inspect.ts';
import { readFormContext } from '../../server/features/forms/form-context.ts';
import { as, type Caller } from '../helpers/as.ts';
import { textOf } from '../helpers/forms.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { makeWorld, type World } from '../helpers/world.ts';

interface Sample {
  name: string;
  schema: JsonSchema;
  uiSchema: Record<string, JsonValue>;
  valid: JsonValue;
  /** `null` where every value fits. */
  invalid: JsonValue;
}

const folder = new URL('sample-forms/rjsf/', import.meta.url);
const samples = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({ slug: file.slice(0, -'.json'.length), sample: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Sample }));

/** Ajv as everybody has it: with the formats of ajv-formats, and that of files in texts. */
function plainVerdict({ $schema = '', ...schema }: JsonSchema): (data: unknown) => boolean {
  const Draft = $schema.includes('2020-12') ? Ajv2020 : Ajv;
  const ajv = new Draft({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('data-url', /^data:([a-z]+\/[a-z0-9-+.]+)?;(?:name=(.*);)?base64,(.*)$/);
  const validate = ajv.compile(schema);
  return (data) => validate(data);
}

const around = readFormContext();
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let world: World;
let admin: Caller;

beforeAll(async () => {
  receiver = await startReceiver([]);
  const webhooks = new Map([['elsewhere', { url: receiver.url, secret: 'a secret of twenty characters', allowPrivate: true }]]);
  world = await makeWorld({ config: { webhooks } });
  admin = await as(world, 'super_admin');
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

test('all 41 samples of the playground that are data are here', () => {
  expect(samples.length).toBe(41);
});

describe.each(samples)('the sample $sample.name', ({ slug, sample }) => {
  const written = importForm(`samples/${slug}`, { ...sample, data: sample.valid });
  const text = textOf(written);
  const cases = [{ data: sample.valid, isRight: true }, ...(sample.invalid === null ? [] : [{ data: sample.invalid, isRight: false }])];
  let module: FormModule;

  beforeAll(async () => {
    const inspection = inspectForm(written.id, text, around);
    if (!inspection.isUsable) throw new Error(JSON.stringify(inspection.findings));
    module = await import(`data:text/javascript,${encodeURIComponent(inspection.code)}`);
    // It brings what patterns run on.
    await validatorOf(module);
  });

  test('is judged alike by plain Ajv, the browser and the server, which hands on what it was sent', async () => {
    expect((await admin.put(`/forms/${written.id}`, { text })).errors).toEqual([]);
    const plain = plainVerdict(sample.schema);
    for (const { data, isRight } of cases) {
      const visible = visibleSchema(completeForm(written), data);
      const said = checkForm(module, visible.data, visible.fields);
      const { status, errors } = await admin.post(`/forms/${written.id}/run`, JSON.stringify(visible.data), {
        'content-type': 'application/json',
      });
      expect({ plain: plain(data), browser: said.length === 0, server: status }).toEqual({
        plain: isRight,
        browser: isRight,
        server: isRight ? 200 : 400,
      });
      expect(errors.map(({ source, message }) => [source, message])).toEqual(said.map(({ source, message }) => [source, message]));
      if (isRight) expect(JSON.parse(receiver.taken.at(-1)?.body ?? '')).toMatchObject({ form: written.id, data });
    }
  });

  test('answers what rjsf asks while it draws as Ajv would', async () => {
    const validator = await validatorOf(module);
    const plainParts = { asked: 0, other: [] as unknown[] };
    const root = sample.schema as RJSFSchema;
    const utils = createSchemaUtils(
      {
        ...validator,
        isValid(part: RJSFSchema, data: unknown, whole: RJSFSchema) {
          const answer = validator.isValid(part, data, whole);
          const { $id: _id, $schema: _draft, ...rest } = part;
          const { definitions, $defs } = sample.schema;
          const expected = plainVerdict({ $schema: root.$schema, definitions, $defs, ...rest } as JsonSchema)(data);
          plainParts.asked += 1;
          if (answer !== expected) plainParts.other.push({ part, data, answer });
          return answer;
        },
      },
      root,
    );
    for (const { data } of cases) {
      const state = utils.getDefaultFormState(root, data);
      utils.retrieveSchema(root, state);
    }
    expect(plainParts.other).toEqual([]);
  });

  test('keeps its uiSchema as it is', () => {
    expect(uiSchemaOf(completeForm(written), (words) => (typeof words === 'string' ? words : words.en))).toMatchObject(sample.uiSchema);
  });
});
