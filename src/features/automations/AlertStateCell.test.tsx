import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { getResource } from '../../engine/resources/all.ts';
import { startI18n, withTexts } from '../../kernel/i18n/index.ts';
import { HOUR } from '../../kernel/time/index.ts';
import { AlertStateCell } from './AlertStateCell.tsx';

test('an open alert that is snoozed says for how long, and one whose time is over is open', async () => {
  await startI18n('en');
  await withTexts(['automations'], async () => undefined)();
  const shown = (value: string, until: number | null) => {
    const time = until === null ? null : new Date(until).toISOString().slice(0, 19).replace('T', ' ');
    const props = { value, row: { id: 1, snoozed_until: time }, resource: getResource('alerts'), column: { key: 'state' } };
    return render(<AlertStateCell {...props} link={(content) => content} />).container.textContent;
  };
  expect(shown('open', Date.now() + 8 * HOUR)).toBe('Snoozed for 8 h');
  expect(shown('open', Date.now() - HOUR)).toBe('Open');
  expect(shown('acknowledged', Date.now() + HOUR)).toBe('Acknowledged');
  expect(shown('open', null)).toBe('Open');
});
