import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Tooltip } from './Tooltip.tsx';

test('a tooltip is read out with what it explains, is on one line up to 50 characters, and Escape hides it', async () => {
  render(
    <>
      <Tooltip text={'x'.repeat(50)}>
        <button type="button">Short</button>
      </Tooltip>
      <Tooltip text={'y'.repeat(51)}>
        <button type="button">Long</button>
      </Tooltip>
    </>,
  );
  const user = userEvent.setup();
  await user.tab();
  const isOnOneLine = (): boolean => /short/.test(screen.getByRole('tooltip').closest('[class*="tooltip_"]')?.className ?? '');
  expect(screen.getByRole('button', { name: 'Short', description: 'x'.repeat(50) })).toBeTruthy();
  expect(isOnOneLine()).toBe(true);
  await user.tab();
  expect(screen.getByRole('tooltip').textContent).toBe('y'.repeat(51));
  expect(isOnOneLine()).toBe(false);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('tooltip')).toBeNull();
});
