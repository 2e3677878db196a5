import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { resources } from '../../resources.config.ts';
import { compileForm } from '../../schemas/kit/codegen/compile-form.ts';
import { compileValidator } from '../../schemas/kit/codegen/compile-validator.ts';
import { fieldsOf, isMembers, valueAt, withValueAt } from '../../schemas/kit/form/form-fields.ts';
import { qualityOf } from '../../schemas/kit/lint/form-quality.ts';
import { checkForm } from '../../schemas/kit/form/form-validator.ts';
import type { FormModule } from '../../schemas/kit/form/form-validator.ts';
import { compileMeta } from '../../schemas/kit/lint/lint-meta.ts';
import { formatProblem, lintFiles } from '../../schemas/kit/lint/lint.ts';
import { findFormFiles, formIdOf, loadContract, loadMeta, readFormFile, schemasFolder } from '../../schemas/kit/codegen/load.ts';
import type { ErrorItem, FormFile, JsonValue, Text } from '../../schemas/kit/form/types.ts';
import { visibleSchema } from '../../schemas/kit/form/visible-schema.ts';
import { anyDataOf } from './arbitrary-data.ts';
import { formRequests } from './form-requests.ts';
import { languages, readTexts } from './texts.ts';

const contract = loadContract();
const metaOfForms = compileMeta(loadMeta().form);
const samplesFolder = fileURLToPath(new URL('sample-forms', import.meta.url));
/** The forms that ship, and one with everything that they do not use yet. */
const files = [join(schemasFolder, 'forms'), samplesFolder].flatMap((folder) =>
  findFormFiles(folder).map((path) => ({ id: formIdOf(path, folder), path, form: readFormFile(path) })),
);

/** The body that the console sends: the data, and for forms on devices the selection beside it. */
const bodyOf = (form: FormFile, data: object): object => (form.submit.payload === 'devices' ? { ...data, device_id: [1] } : data);
const summary = (items: ErrorItem[]): string[] =>
  items.map(({ source, params }) => `${source ?? ''} ${String(params?.['key'])}`).toSorted();

describe.each(files)('the form $id', ({ id, path, form }) => {
  const check = compileForm(form);
  const written: unknown = JSON.parse(readFileSync(path, 'utf8'));
  let module: FormModule;

  beforeAll(async () => {
    const { code } = compileValidator(form);
    module = { form, ...(await import(`data:text/javascript,${encodeURIComponent(code)}`)) };
  });

  test('has the shape of its meta-schema and its path as id', () => {
    expect(metaOfForms(written) ? [] : metaOfForms.errors).toEqual([]);
    expect(form.id).toBe(id);
  });

  test('names only widgets, lookups, permissions, help pages, resources, fields and texts that exist', () => {
    const known = {
      permissions: new Set(contract.permissions.permissions.map(({ name }) => name)),
      lookups: new Set(Object.keys(contract.lookups.lookups)),
      help: new Set(Object.keys(contract.help.help)),
    };
    const file = { path: relative(schemasFolder, path), text: readFileSync(path, 'utf8') };
    const problems = lintFiles([file], {
      meta: loadMeta(),
      texts: new Set(Object.keys(readTexts('en'))),
      resources: new Set(resources.map(({ name }) => name)),
      known,
    });
    expect(problems.map(formatProblem)).toEqual([]);
  });

  test('accepts each of its examples, as they are and as the console would send them', () => {
    for (const example of form.examples) {
      expect(check(bodyOf(form, example))).toEqual([]);
      expect(check(bodyOf(form, visibleSchema(form, example).data))).toEqual([]);
      expect(checkForm(module, example, Object.keys(example))).toEqual([]);
    }
  });

  test('refuses an example without one of its required fields, at that field', () => {
    for (const example of form.examples) {
      const { fields } = visibleSchema(form, example);
      const asked = [...fieldsOf(form).values()].filter(
        ({ path, parent, isRequired }) => isRequired && fields.includes(path) && (parent === '' || isMembers(valueAt(example, parent))),
      );
      for (const { path } of asked) {
        const refused = check(bodyOf(form, withValueAt(example, path, undefined))).map(({ source, params }) => [source, params?.['key']]);
        expect(refused).toContainEqual([path, 'validation.required']);
      }
    }
  });

  test('refuses an unknown member of a group, at that member', () => {
    for (const { path } of [...fieldsOf(form).values()].filter(({ isGroup }) => isGroup)) {
      const example = form.examples.find((one) => isMembers(valueAt(one, path)));
      if (!example) continue;
      const refused = check(bodyOf(form, withValueAt(example, `${path}.surprise`, 1)));
      expect(refused.map(({ code, source }) => [code, source])).toEqual([['UNKNOWN_FIELD', `${path}.surprise`]]);
    }
  });

  test('refuses an unknown field, at that field', () => {
    const [example = {}] = form.examples;
    expect(check(bodyOf(form, { ...example, surprise: 1 })).map(({ code, source }) => [code, source])).toEqual([
      ['UNKNOWN_FIELD', 'surprise'],
    ]);
  });

  test('is judged alike in the browser and on the server, whatever is entered', () => {
    const seen = { passed: 0, refused: 0 };
    fc.assert(
      fc.property(anyDataOf(form.schema, form.ui), (data: Record<string, JsonValue>) => {
        const visible = visibleSchema(form, data);
        const here = checkForm(module, visible.data, visible.fields);
        const there = check(bodyOf(form, visible.data));
        expect(summary(here)).toEqual(summary(there));
        if (here.length === 0) seen.passed += 1;
        else seen.refused += 1;
      }),
      { numRuns: 500, examples: form.examples.map((example): [Record<string, JsonValue>] => [example]) },
    );
    expect(seen.passed).toBeGreaterThan(0);
    if (Object.keys(form.schema.properties).length > 0) expect(seen.refused).toBeGreaterThan(0);
  });

  test('is judged alike on data that the console would never send', () => {
    if (form.submit.payload === 'devices') return;
    fc.assert(
      fc.property(anyDataOf(form.schema, form.ui), (data: Record<string, JsonValue>) => {
        const names = [...fieldsOf(form).keys(), ...Object.keys(data)];
        expect(summary(checkForm(module, data, names))).toEqual(summary(check(data)));
      }),
      { numRuns: 500 },
    );
  });
});

test('every form that ships, and every example, says what it does in four languages and shows each field in use [G9]', () => {
  const examples = fileURLToPath(new URL('../../examples/forms', import.meta.url));
  const forms = [join(schemasFolder, 'forms'), examples].flatMap((folder) => findFormFiles(folder).map(readFormFile));
  expect(forms.filter((form) => qualityOf(form).level === 'bronze').map(({ id }) => id)).toEqual([]);
  // That texts by key have all languages is seen to for all texts of the console (`npm run i18n:check`).
  const isWhole = (text: Text | undefined): boolean => typeof text === 'string' || languages.every((language) => text?.[language]);
  expect(forms.filter(({ title, description }) => !isWhole(title) || !isWhole(description)).map(({ id }) => id)).toEqual([]);
});

test('each form has a route of its own', () => {
  const routes = files.map(({ form }) => `${form.submit.method} ${form.submit.path}`);
  expect(new Set(routes).size).toBe(routes.length);
});

test('the list of calls for the API tests has every example, with devices where devices are chosen', () => {
  const requests = formRequests({ id: 9, deviceIds: [4, 5] });
  expect(requests.length).toBe(Object.values(contract.forms).reduce((sum, { examples }) => sum + examples.length, 0));
  expect(requests.find(({ form }) => form === 'companies/edit')?.path).toBe('/companies/9');
  expect(requests.find(({ form }) => form === 'devices/move')?.body).toEqual({ company_id: 2, device_id: [4, 5] });
});
