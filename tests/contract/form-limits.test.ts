import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileForm } from '../../schemas/kit/codegen/compile-form.ts';
import { enforcedSchema } from '../../schemas/kit/form/enforced-schema.ts';
import { readFormFile, schemasFolder } from '../../schemas/kit/codegen/load.ts';
import type { FormFile, JsonValue } from '../../schemas/kit/form/types.ts';

type Data = Record<string, JsonValue>;

const formOf = (id: string): FormFile => readFormFile(join(schemasFolder, 'forms', `${id}.form.json`));

/** The fields at which a form refuses this data; none when it takes it. */
function refusals(id: string, data: Data, can?: (permission: string) => boolean): string[] {
  const form = formOf(id);
  return [...new Set(compileForm(form, enforcedSchema(form, can, can))(data).map(({ source }) => source ?? ''))].toSorted();
}
const text = (length: number): string => 'x'.repeat(length);

// docs/behaviour.md section 5. That a browser judges alike is seen to for every form in forms.test.ts.
describe('the limits of the forms', () => {
  test.each<[string, Data, string[]]>([
    ['companies/new', {}, ['name']],
    ['companies/new', { name: 'ab', parent_id: 1 }, ['name']],
    ['companies/new', { name: 'abc', parent_id: 1 }, []],
    ['companies/edit', { name: 'ab' }, ['name']],
    ['companies/move', {}, ['source', 'target']],
    ['companies/invite', {}, ['email']],
    ['companies/invite', { email: 'kari' }, ['email']],
    ['tags/new', {}, ['company_id', 'name']],
    ['tags/new', { company_id: 1, name: 'ferry' }, []],
    ['tags/new', { company_id: 1, name: 'ferry', color: 'red' }, ['color']],
    ['users/invite', {}, ['company_id', 'email']],
    ['users/invite', { company_id: 1, email: 'kari@fjordline.example' }, []],
    ['users/invite', { company_id: 1, email: 'kari@fjordline.example', role: 'super_admin' }, ['role']],
    ['users/remove-suppressed', {}, ['email']],
    ['users/remove-mfa', {}, ['email']],
    ['users/remove-by-email', {}, ['email']],
    ['credits/add', {}, ['company_id', 'credit_count', 'credit_type_id']],
    ['credits/add', { credit_type_id: 1, company_id: 1, credit_count: 0 }, ['credit_count']],
    ['credits/move', {}, ['amount', 'credit_type_name', 'source', 'target']],
    ['credits/move', { credit_type_name: 'credit', source: 1, target: 2, amount: 0 }, ['amount']],
    ['credits/activate-code', {}, ['code']],
    ['companies/data', {}, ['company_id', 'credits']],
    ['companies/data', { company_id: 1, credits: '12a' }, ['credits']],
    ['companies/data', { company_id: 1, credits: '' }, ['credits']],
    ['companies/data', { company_id: 1, credits: '1'.repeat(14) }, []],
    ['companies/data', { company_id: 1, credits: '1'.repeat(15) }, ['credits']],
    ['devices/api-description', {}, ['file', 'system']],
    ['devices/api-description', { system: 'tswos', file: 'file-1' }, []],
    ['devices/api-description', { system: 'openwrt', file: 'file-1', overwrite: true }, ['system']],
  ])('%s refuses %j at %j', (id, data, fields) => {
    expect(refusals(id, data)).toEqual(fields);
  });

  test.each(Array.from({ length: 14 }, (_, index) => index + 1))(
    'price and pro-forma number are asked for with type %i only if it is even',
    (type) => {
      const base = { credit_type_id: type, company_id: 1, credit_count: 1 };
      const paid = { ...base, credit_price: 0, pro_form_nr: 'PF-1' };
      const both = ['credit_price', 'pro_form_nr'];
      expect([refusals('credits/add', base), refusals('credits/add', paid)]).toEqual(type % 2 === 0 ? [both, []] : [[], both]);
    },
  );

  test('a price is 0 or more, in steps of 0.01', () => {
    const at = (credit_price: number) =>
      refusals('credits/add', { credit_type_id: 2, company_id: 1, credit_count: 1, pro_form_nr: 'PF-1', credit_price });
    expect([0, 0.01, 19.99, -0.01, 0.001].map((price) => at(price).length)).toEqual([0, 0, 0, 1, 1]);
  });

  test('a code holds 1 to 12 digits of credits and a comment of 200 characters; only a system administrator says whose they are', () => {
    const code = { credit_type_name: 'credit', amount: 999_999_999_999, comment: text(200) };
    const isAdmin = (permission: string): boolean => permission !== 'super_admin';
    expect(refusals('credits/new-code', code, isAdmin)).toEqual([]);
    expect(refusals('credits/new-code', { ...code, company_id: 1 }, isAdmin)).toEqual(['company_id']);
    expect(refusals('credits/new-code', code)).toEqual(['company_id']);
    expect(refusals('credits/new-code', { ...code, company_id: 1, amount: 1_000_000_000_000 })).toEqual(['amount']);
    expect(refusals('credits/new-code', { ...code, company_id: 1, amount: 0 })).toEqual(['amount']);
    expect(refusals('credits/new-code', { ...code, company_id: 1, comment: text(201) })).toEqual(['comment']);
  });

  test('a description of an API is a .json file, and replacing an earlier one is a tick', () => {
    const { ui } = formOf('devices/api-description');
    expect(ui?.['file']?.['ui:options']?.accept).toBe('.json');
    expect(ui?.['overwrite']?.['ui:widget'] ?? 'checkbox').toBe('checkbox');
  });
});
