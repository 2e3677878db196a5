import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { beforeAll, expect, test } from 'vitest';
import { ApiError } from '../kernel/http/index.ts';
import { startI18n } from '../kernel/i18n/index.ts';
import { PageError } from './PageError.tsx';

beforeAll(() => startI18n('en'));

function renderError(status: number) {
  const error = new ApiError({ kind: 'answer', status, items: [], meta: {} });
  render(
    <MemoryRouter>
      <PageError error={error} onRetry={() => undefined} />
    </MemoryRouter>,
  );
}

test('a record that is not there, or not for this reader, is a page that says so, without a way to try again', () => {
  renderError(404);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Page not found');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('a record that the server fails to give can be asked for again', () => {
  renderError(500);
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});
