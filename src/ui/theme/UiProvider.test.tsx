import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { changeLanguage, startI18n } from '../../kernel/i18n/index.ts';
import { UiProvider } from './UiProvider.tsx';

test('another language keeps what was entered', async () => {
  await startI18n('en');
  render(
    <UiProvider>
      <input aria-label="Name" />
    </UiProvider>,
  );
  const input = screen.getByRole('textbox', { name: 'Name' });
  await userEvent.setup().type(input, 'Quay');
  await changeLanguage('nb');
  await import('antd/es/locale/nb_NO');
  await waitFor(() => expect(document.documentElement.lang).toBe('nb'));
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Name' })).toBe(input));
  expect(input).toHaveProperty('value', 'Quay');
});
