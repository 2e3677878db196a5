import { expect, test } from 'vitest';
import { heldFile, holdFile, releaseFiles } from './files.ts';

test('a chosen file is found by its token until it is released; other values are no files', () => {
  const file = new File(['a'], 'a.json');
  const token = holdFile(file);
  expect(token).toMatch(/^file-[0-9a-f]{32}$/);
  expect(holdFile(file)).not.toBe(token);
  expect(heldFile(token)).toBe(file);
  expect([heldFile('a.json'), heldFile('file-none'), heldFile(7), heldFile(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  releaseFiles([token, 7]);
  expect(heldFile(token)).toBeUndefined();
});
