import { describe, expect, test } from 'vitest';
import { compileValidator } from './compile-validator.ts';
import { exampleForm } from '../form/example-form.ts';
import { checkForm } from '../form/form-validator.ts';
import type { FormModule } from '../form/form-validator.ts';
import type { FormFile } from '../form/types.ts';

async function importForm(form: FormFile): Promise<FormModule> {
  const { code } = compileValidator(form);
  const module: Omit<FormModule, 'form'> = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return { ...module, form };
}

const good = { credit_type_id: 2, credit_count: 1, credit_price: 1.15, comment: '' };
const visible = Object.keys(good);

describe('a form compiled for the browser', () => {
  test('is one module that imports nothing and makes no code at run time', () => {
    const form: FormFile = {
      ...exampleForm,
      fields: {},
      schema: {
        ...exampleForm.schema,
        properties: {
          list: { type: 'array', uniqueItems: true, items: { type: 'object' }, maxItems: 5 },
          name: { type: 'string', minLength: 2, format: 'name' },
        },
        required: [],
      },
    };
    const { code } = compileValidator(form);
    expect(code).not.toMatch(/\brequire\(|\bimport\b|new Function|\beval\(|module\.exports/);
  });

  test('judges as the server does, with the same texts', async () => {
    const module = await importForm(exampleForm);
    expect(checkForm(module, good, visible)).toEqual([]);
    expect(checkForm(module, { ...good, credit_price: 1.155 }, visible).map(({ message }) => message)).toEqual(['Use steps of 0.01.']);
    expect(checkForm(module, { ...good, credit_count: 0 }, visible)[0]?.source).toBe('credit_count');
  });

  test('does not ask for a field that this person cannot see', async () => {
    const module = await importForm(exampleForm);
    const data = { credit_type_id: 1, credit_count: 1 };
    expect(checkForm(module, data, ['credit_type_id', 'credit_count'])).toEqual([]);
    expect(checkForm(module, data, ['credit_type_id', 'credit_count', 'comment'])).toHaveLength(1);
  });

  test('a format of which the compiler knows nothing stops it', () => {
    const form: FormFile = { ...exampleForm, schema: { ...exampleForm.schema, properties: { a: { type: 'string', format: 'colour' } } } };
    expect(() => compileValidator(form)).toThrow(/colour/);
  });
});
