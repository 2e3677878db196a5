import { beforeAll, expect, test } from 'vitest';
import { startI18n } from '../i18n/index.ts';
import { ApiError } from './api-error.ts';
import { failureMessage, itemMessage } from './message.ts';

beforeAll(() => startI18n('en'));

const answer = (status: number, message?: string) =>
  new ApiError({ kind: 'answer', status, items: message ? [{ code: 'SOME_NEW_CODE', message }] : [] });
const context = { action: 'load', item: 'devices' };

test('the first message of the server comes first', () => {
  expect(failureMessage(answer(409, 'This name is taken.'), { ...context, fallback: 'It failed.' })).toBe('This name is taken.');
});

test('then the fallback of the caller', () => {
  expect(failureMessage(answer(500), { ...context, fallback: 'It failed.' })).toBe('It failed.');
});

test('then what failed and with which status', () => {
  expect(failureMessage(answer(500), context)).toBe('Failed to load devices (500)');
});

test('a known code is shown in the language of the user [I2]', () => {
  const error = new ApiError({ kind: 'answer', status: 401, items: [{ code: 'WRONG_CREDENTIALS', message: 'server words' }] });
  expect(failureMessage(error)).toBe('E-mail address or password is wrong.');
});

test('a cancelled call is never shown, and a failure that is no answer has no details', () => {
  expect(failureMessage(new ApiError({ kind: 'cancelled' }), context)).toBe('');
  expect(failureMessage(new TypeError('x is undefined'))).toBe('Server error');
});

test('what an error names by its key is shown in words [I2]', () => {
  const messageFor = (action: string) =>
    itemMessage({ code: 'UNDO_BLOCKED', message: 'server words', params: { name: 'Harbour', action } });
  expect(messageFor('companies.edit')).toBe('"Harbour" has been changed since (Company changed). Undo that change first.');
  expect(messageFor('things.bend')).toContain('(things.bend)');
});

test('a fault without the number of a request names none', () => {
  expect(itemMessage({ code: 'INTERNAL', message: 'server words' })).toBe('Server error');
  expect(itemMessage({ code: 'INTERNAL', message: 'server words', params: { request_id: 'r-7' } })).toContain('r-7');
});
