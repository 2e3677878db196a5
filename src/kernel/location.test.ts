import { expect, test } from 'vitest';
import { safeContinuePath } from './location.ts';

const HOST = 'console.example';
const ORIGIN = `https://${HOST}`;

test.each([
  ['/devices/7?tab=history#top', '/devices/7?tab=history#top'],
  [`${ORIGIN}/companies`, '/companies'],
  ['devices', '/devices'],
])('%s is followed [SE7]', (requested, path) => {
  expect(safeContinuePath(requested, ORIGIN)).toBe(path);
});

test.each([
  `javascript://${HOST}/%0aalert(1)`,
  'javascript:alert(1)',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https:evil.example',
  'https:///evil.example',
  `https://${HOST}@evil.example/`,
  `https://user@${HOST}/`,
  `https://user:secret@${HOST}/`,
  `http://${HOST}/`,
  `https://${HOST}:444/`,
  `https://${HOST}.evil.example/`,
  'https://cоnsole.example/',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  '/.//evil.example',
  'data:text/html,x',
  'blob:https://console.example/1',
  'https://[',
  '',
  null,
])('%j is not followed [SE7]', (requested) => {
  expect(safeContinuePath(requested, ORIGIN)).toBeUndefined();
});
