import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { getResource } from '../../engine/resources/all.ts';
import { startI18n } from '../../kernel/i18n/index.ts';
import { RoleCell } from './cells.tsx';

test('in lists of people a built-in role is called what it is in the reader’s language, and an own role by its own title', async () => {
  await startI18n('nb');
  const shown = (role: string, title: string) => {
    const row = { id: 1, role, role_title: title };
    const props = { value: title, row, resource: getResource('users'), column: { key: 'role_title' } };
    return render(<RoleCell {...props} link={(content) => content} />).container.textContent;
  };
  expect([shown('read_only', 'Guest'), shown('night-shift', 'Night shift')]).toEqual(['Gjest', 'Night shift']);
});
