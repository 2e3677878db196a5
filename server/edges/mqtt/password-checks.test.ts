import { expect, test } from 'vitest';
import { until } from '../../../tests/helpers/until.ts';
import { createPasswordChecks } from './password-checks.ts';

const questionsOf = (address: string, deviceKey: string, start: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: start + index, address, deviceKey, password: `${address} ${index}` }));

test('of an address that tries a device key a thousand times nobody else waits behind more than a few [HN12]', async () => {
  const answered: number[] = [];
  let running = 0;
  let most = 0;
  const checks = createPasswordChecks(
    async (_deviceKey, password) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return password === 'home 0';
    },
    (id, isRight) => answered.push(isRight ? -id : id),
  );
  checks.add([
    ...questionsOf('stranger', 'router', 1, 1000),
    ...questionsOf('home', 'router', 5000, 1),
    ...questionsOf('stranger', 'other', 6000, 1),
  ]);
  await until('all answers', () => answered.length === 1002);
  expect(answered.indexOf(-5000)).toBeLessThan(10);
  expect(answered.indexOf(6000)).toBeLessThan(10);
  expect(most).toBeLessThanOrEqual(8);
  expect(answered.filter((id) => id > 0 && id <= 1000)).toHaveLength(1000);
});
