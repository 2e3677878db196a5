import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useIsDownloading, whileDownloading } from './busy-rows.ts';

test('a row is marked until its last download has ended, also when one fails', async () => {
  const { result } = renderHook(() => [useIsDownloading('files', 1), useIsDownloading('files', 2), useIsDownloading('tags', 1)]);
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  let ends: Promise<unknown> = Promise.resolve();
  act(() => {
    const both = whileDownloading('files', [1, 2], () => first.promise);
    const one = whileDownloading('files', [1], () => second.promise);
    ends = Promise.allSettled([both, one]);
  });
  expect(result.current).toEqual([true, true, false]);
  await act(async () => {
    first.reject(new Error('cut off'));
    await Promise.resolve();
  });
  await act(async () => Promise.resolve());
  expect(result.current).toEqual([true, false, false]);
  await act(async () => {
    second.resolve();
    await ends;
  });
  expect(result.current).toEqual([false, false, false]);
});
