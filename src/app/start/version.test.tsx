import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function watch(hostname: string, body: unknown, build = 100) {
  const { useIsNewerVersion, watchVersion } = await import('./version.ts');
  const asked = vi.fn(() => Promise.resolve(new Response(JSON.stringify(body))));
  vi.stubGlobal('fetch', asked);
  function Probe() {
    return <p>{useIsNewerVersion() ? 'newer' : 'same'}</p>;
  }
  render(<Probe />);
  watchVersion(hostname, build);
  return asked;
}

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

test('a newer build on the server is announced 1 s after it was seen', async () => {
  await watch('console.example', { timestamp: 101 });
  await wait(5 * 60_000 + 900);
  expect(screen.getByText('same')).toBeTruthy();
  await wait(200);
  expect(screen.getByText('newer')).toBeTruthy();
});

test.each([{ timestamp: 100 }, { timestamp: 99 }, {}, null, 'x'])('%j is not newer', async (body) => {
  await watch('console.example', body);
  await wait(11 * 60_000);
  expect(screen.getByText('same')).toBeTruthy();
});

test('localhost is not asked', async () => {
  const asked = await watch('localhost', { timestamp: 101 });
  await wait(11 * 60_000);
  expect(asked).not.toHaveBeenCalled();
});
