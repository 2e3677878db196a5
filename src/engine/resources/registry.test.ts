import { expect, test } from 'vitest';
import { defineCell, findCell, getCodeAction, registerCell, registerCodeAction, registeredNames } from './registry.ts';

test('a cell name can be taken once only', () => {
  defineCell('test-once', () => null);
  expect(() => registerCell('test-once', async () => () => null)).toThrow('There is a cell named "test-once" already.');
});

test('an unknown cell is no cell, and the known names can be listed for the check', () => {
  defineCell('test-listed', () => null);
  expect(findCell('test-nobody')).toBeUndefined();
  expect(registeredNames().cells).toContain('test-listed');
});

test('an unknown code action says its name and those that exist', () => {
  registerCodeAction('test.open', async () => () => undefined);
  expect(() => getCodeAction('test.opne')).toThrow(/No code action named "test.opne".*test\.open/);
});
