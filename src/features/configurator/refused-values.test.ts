import { beforeAll, expect, test } from 'vitest';
import { ApiError, itemMessage } from '../../kernel/http/index.ts';
import { loadTexts, startI18n } from '../../kernel/i18n/index.ts';
import { asEntered } from './refused-values.ts';

beforeAll(async () => {
  await startI18n('en');
  await loadTexts('configurator', 'errors');
});

const devices = [
  { id: 1, name: 'ferry' },
  { id: 2, name: 'quay' },
];
const call = (device_id: number[]) => ({ device_id, path: '/network/interfaces/config/lan', method: 'put' as const });
const refused = (index: number) =>
  new ApiError({
    kind: 'answer',
    status: 400,
    items: [
      {
        code: 'INVALID_FIELD',
        source: `configuration.${index}.request_data.data.mtu`,
        message: 'Enter a whole number.',
        params: { key: 'validation.type.integer' },
      },
    ],
  });

test('a value for all devices is refused at its field, and that of a single device with the names of both', () => {
  const entered = { calls: [call([1, 2]), call([2])], devices, labelOf: () => 'MTU' };
  const [forAll, forOne] = [0, 1].map((index) => (asEntered(refused(index), entered) as ApiError).items[0]);
  expect(forAll?.source).toBe('mtu');
  expect(forOne?.source).toBeUndefined();
  expect(forOne && itemMessage(forOne)).toBe('quay, MTU: Enter a whole number.');
});

test('an error of another kind stays as it is', () => {
  const offline = new Error('offline');
  expect(asEntered(offline, { calls: [], devices, labelOf: (option) => option })).toBe(offline);
});
