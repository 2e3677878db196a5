import { expect, test } from 'vitest';
import { fillTemplate, harmless } from './fill-template.ts';

const invitation = { subject: '{inviter} invites you', text: '{inviter} invites you to {company}: {url}' };
const variables = { inviter: 'line', company: 'line', url: 'link' } as const;

test('a value is not read as a template [IN11]', () => {
  const filled = fillTemplate(invitation, variables, { inviter: '{url}', company: '{constructor}', url: 'https://canopy.example/x' });
  expect(filled).toEqual({ subject: '{url} invites you', text: '{url} invites you to {constructor}: https://canopy.example/x' });
});

test('a place that the mail does not have stays as it is, whatever it is called [IN11]', () => {
  const filled = fillTemplate({ subject: '{constructor}', text: '{__proto__} {secret}' }, variables, { secret: 'sesame' });
  expect(filled).toEqual({ subject: '{constructor}', text: '{__proto__} {secret}' });
});

test.each([
  ['https://evil.example/x', 'https:\u2060//evil.\u2060example/x'],
  ['www.evil.example', 'www.\u2060evil.\u2060example'],
  ['kari@evil.example', 'kari@\u2060evil.\u2060example'],
  ['Fjordline A.S. 1.5', 'Fjordline A.\u2060S. 1.5'],
  ['Kari\r\nBcc: x', 'Kari Bcc: x'],
  ['abc\u202Etxt', 'abc txt'],
])('of %j no mail program makes a link or a line [IN11]', (value, expected) => {
  expect(harmless(value)).toBe(expected);
});

test('a subject is one line, whatever its values say [IN11]', () => {
  expect(fillTemplate({ subject: '{inviter}', text: '' }, variables, { inviter: 'a\r\nBcc: b' }).subject).toBe('a Bcc: b');
});
