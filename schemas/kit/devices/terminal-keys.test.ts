import { describe, expect, test } from 'vitest';
import { isKeyValue, keyBytes, parametersOf } from './terminal-keys.ts';

test('escapes become the characters that no field takes, and a line break is Enter', () => {
  expect(keyBytes(String.raw`\x03\e[A\tls\n`)).toBe('\u0003\u001b[A\tls\r');
  expect(keyBytes('one\ntwo\r\n')).toBe('one\rtwo\r');
  expect(keyBytes(String.raw`C:\\temp \{x} \q`)).toBe(String.raw`C:\temp {x} \q`);
});

test('what is in braces is asked for by its type, each name once, and everything else stays as it is', () => {
  const text = "ping -c {count:number} {host} via {line:eth0|eth1|eth0}; echo {host} | awk '{print $1}' {a,b}";
  expect(parametersOf(text)).toEqual([
    { name: 'count', type: 'number', choices: [] },
    { name: 'host', type: 'text', choices: [] },
    { name: 'line', type: 'choice', choices: ['eth0', 'eth1'] },
  ]);
  expect(keyBytes(text, { count: '3', host: '{count}', line: 'eth1' })).toBe(
    "ping -c 3 {count} via eth1; echo {count} | awk '{print $1}' {a,b}",
  );
});

describe('a value', () => {
  const [count, host, line] = parametersOf('{count:number} {host} {line:a|b}');
  test.each([
    [count, '12', true],
    [count, '1e9', false],
    [count, '', false],
    [host, 'gw.example', true],
    [host, 'a\rreboot', false],
    [host, 'a\u001b[A', false],
    [host, 'x'.repeat(501), false],
    [line, 'b', true],
    [line, 'c', false],
  ])('%o takes %j: %s', (parameter, value, isTaken) => {
    expect(parameter && isKeyValue(parameter, value)).toBe(isTaken);
  });
});
