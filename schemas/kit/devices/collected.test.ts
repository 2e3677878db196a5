import { expect, test } from 'vitest';
import { isPath, readSource, readVariables, valueAtPath, type Variable } from './collected.ts';
import { evaluateExpression } from '../form/expression.ts';

const variable = (filter: string, more: Partial<Variable> = {}): Variable => ({ id: 'v', filter, type: 'number', ...more });
const read = (output: string, one: Variable, code = 0) => readVariables('/file/x', [one], { code, output });

test('a path leads into JSON by names, places and conditions, from the answer of a call too', () => {
  const root = readSource('{"data":[{"primary":false,"rsrp":-110},{"primary":true,"rsrp":-95}]}');
  expect(valueAtPath(root, '$.http_body.data[@.primary=true].rsrp')).toBe(-95);
  expect(valueAtPath(root, '$.data[?(@.rsrp==-110)].primary')).toBe(false);
  expect(valueAtPath(root, '$.data[1]["rsrp"]')).toBe(-95);
  expect(valueAtPath(root, '$.data[7].rsrp')).toBeUndefined();
  expect(valueAtPath(root, '$.constructor')).toBeUndefined();
  expect(['data', '$..x', '$.a[', '$.a b'].map(isPath)).toEqual([false, false, false, false]);
});

test('text has lines of words and named fields', () => {
  expect(read('0.12 0.34 0.56 1/99 1234\n', variable('$.lines[0][1]')).values).toEqual({ v: 0.34 });
  expect(read('MemTotal: 512000 kB\nMemFree:  1024 kB\n', variable('$.fields.MemFree', { type: 'integer' })).values).toEqual({ v: 1024 });
  expect(read('NAME="OpenWrt"\n', variable('$.fields.NAME', { type: 'string' })).values).toEqual({ v: 'OpenWrt' });
});

test('what cannot be read says which variable and why', () => {
  expect(read('N/A', variable('$.text')).faults).toEqual([
    'Variable retrieval failed: url [/file/x], id [v], filter [$.text], type mismatch: can not convert actual value [N/A] to expected [number] type',
  ]);
  expect(read('{}', variable('$.a')).faults[0]).toContain('nothing there');
  expect(read('not allowed', variable('$.a'), 126).faults[0]).toContain('not allowed');
  expect(read('{}', variable('$.a', { default: '5' })).values).toEqual({ v: 5 });
  expect(read('up', variable('$.text', { type: 'string', enum: ['down'] })).faults[0]).toContain('none of its values');
  expect(read('up', variable('$.text', { type: 'boolean' })).values).toEqual({ v: true });
});

test('a transform is arithmetic and nothing else', () => {
  expect(evaluateExpression('round(value / 1024 * -2, 1) + max(1, 2)', { value: 1536 })).toBe(-1);
  expect(evaluateExpression('1 - 2 - 3', {})).toBe(-4);
  for (const text of ['', 'value', '1 +', '(1', 'constructor(1)', '1 2', 'a.b', '__proto__', `${'('.repeat(99)}1${')'.repeat(99)}`])
    expect(evaluateExpression(text, {})).toBeUndefined();
  const kilo = { evaluator: 'arithmetic', eval_var: 'kb', expression: 'kb / 1000' } as const;
  expect(read('MemFree: 5000 kB', variable('$.fields.MemFree', { transform: kilo })).values).toEqual({ v: 5 });
  expect(read('0', variable('$.text', { transform: { ...kilo, expression: '1 / kb' } })).faults[0]).toContain('gives no number');
});
