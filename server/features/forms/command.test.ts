import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandOf, CommandError, MAX_COMMAND_BYTES, type DeviceVariables } from './command.ts';

const device: DeviceVariables = {
  id: 7,
  name: "Quay 4's router",
  serial: '1106433012',
  mac: '00:1E:42:AB:CD:EF',
  model: 'RUTX50',
  firmware: 'RUTX_R_00.07.14.2',
  company_id: 3,
  company_name: 'Fjordline $(reboot)',
};

let folder = '';
let showArguments = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'canopy-command-'));
  showArguments = join(folder, 'show');
  // Prints its arguments byte for byte, a NUL after each.
  writeFileSync(showArguments, '#!/bin/sh\nfor argument in "$@"; do printf \'%s\\0\' "$argument"; done\n', { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shells = [
  { name: 'dash', program: 'dash', first: [] },
  { name: 'busybox', program: 'busybox', first: ['sh'] },
];

function run(shell: (typeof shells)[number], line: string) {
  const { status, stdout } = spawnSync(shell.program, [...shell.first, '-c', line], { encoding: 'buffer', cwd: folder });
  return { status, output: stdout.toString('utf8') };
}

/** What a person with bad intentions, a spreadsheet or a keyboard puts into a field. */
const hostile = [
  "'",
  "''",
  "'; reboot; '",
  '"$(reboot)"',
  '`reboot`',
  '$HOME ${PATH} $((1+1))',
  '\\',
  "\\'",
  'a\nb\r\nc',
  '\t \u00a0',
  '-rf',
  '--',
  '*',
  '~',
  '!!',
  '# no comment',
  '&& reboot',
  '| reboot > /dev/null',
  '{device.name}',
  '{{',
  '日本語 😀 ´',
  '',
];
const anyValue = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed()),
  fc.string({ unit: fc.constantFrom("'", '"', '\\', '$', '`', '\n', ' ', ';', '&', '(', ')', 'a') }),
);

describe.each(shells)('a command in $name [G8]', (shell) => {
  test('gives the program every argument byte for byte, whatever a field or the device holds', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { maxLength: 4 }), anyValue, anyValue, (items, one, name) => {
        const template = { steps: [[showArguments, '{items}', 'x={one}', '{{{one}', '{device.name}']] };
        const line = commandOf(template, { items, one }, { ...device, name });
        const expected = [...items, `x=${one}`, `{${one}`, name];
        expect(run(shell, line)).toEqual({ status: 0, output: expected.map((argument) => `${argument}\0`).join('') });
      }),
      { numRuns: 150, examples: hostile.map((text): [string[], string, string] => [[text, text], text, text]) },
    );
  });

  test('runs steps one after the other and stops at the first that fails, with its code', () => {
    const steps = [
      ['sh', '-c', 'printf a'],
      ['sh', '-c', 'printf b; exit 7'],
      ['sh', '-c', 'printf c'],
    ];
    expect(run(shell, commandOf({ steps }, {}, device))).toEqual({ status: 7, output: 'ab' });
    expect(run(shell, commandOf({ steps, exitCodes: [0, 7] }, {}, device))).toEqual({ status: 0, output: 'abc' });
    expect(run(shell, commandOf({ steps, exitCodes: [7] }, {}, device))).toEqual({ status: 1, output: 'a' });
    expect(run(shell, commandOf({ steps, exitCodes: [1, 7] }, {}, device))).toEqual({ status: 2, output: 'a' });
  });

  test('reports the code of the last step as it was, unless it is an unwanted 0', () => {
    const steps = (code: number): string[][] => [['true'], ['sh', '-c', `exit ${code}`]];
    const status = (code: number, exitCodes: number[]) => run(shell, commandOf({ steps: steps(code), exitCodes }, {}, device)).status;
    expect([status(3, [0, 3]), status(4, [0, 3])]).toEqual([3, 4]);
    const only = (code: number) => run(shell, commandOf({ steps: [['sh', '-c', `exit ${code}`]], exitCodes: [1] }, {}, device)).status;
    expect([only(1), only(0)]).toEqual([1, 2]);
  });
});

test('a field without a value is an empty argument, numbers and switches are words', () => {
  const line = commandOf({ steps: [['set', '{apn}', '{mtu}', '{roaming}', 'id={device.id}']] }, { mtu: 1500, roaming: true }, device);
  expect(line).toBe("'set' '' '1500' 'true' 'id=7'");
});

test.each([
  ['a NUL', { apn: 'a\0b' }, ['set', '{apn}'], 'apn'],
  ['half of a character', { apn: '\ud83d' }, ['set', '{apn}'], 'apn'],
  ['a group', { apn: { a: 1 } }, ['set', '{apn}'], 'apn'],
  ['a list inside a text', { apn: ['a', 'b'] }, ['set', 'x={apn}'], 'apn'],
  ['a line that no device takes', { apn: 'a'.repeat(MAX_COMMAND_BYTES) }, ['set', '{apn}'], undefined],
  ['an unknown value of the device', {}, ['set', '{device.password}'], 'device.password'],
  ['a brace without a name', {}, ['set', 'a{b'], undefined],
  ['a program that is an empty list', { apn: [] }, ['{apn}'], undefined],
])('refuses %s, and says where', (_what, data, words, field) => {
  const make = () => commandOf({ steps: [['true'], words] }, data, device);
  expect(make).toThrow(CommandError);
  try {
    make();
  } catch (error) {
    expect(error instanceof CommandError && error.field).toBe(field);
  }
});

test('fields of groups are named by their path, rows of a table are arguments as JSON', () => {
  const data = { mobile: { apn: "it's" }, rows: [{ port: 1 }, { port: 2 }] };
  expect(commandOf({ steps: [['set', '{mobile.apn}', '{mobile.none}', '{rows}']] }, data, device)).toBe(
    `'set' 'it'\\''s' '' '{"port":1}' '{"port":2}'`,
  );
});

test('a name of the object prototype is no value', () => {
  expect(commandOf({ steps: [['set', '{constructor}']] }, {}, device)).toBe("'set' ''");
});
