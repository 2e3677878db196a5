import { render } from '@testing-library/react';
import { createElement } from 'react';
import { beforeAll, expect, test } from 'vitest';
import { resources } from '../../../resources.config.ts';
import type { Resources } from '../../engine/resources/resource.ts';
import { findCell } from '../../engine/resources/registry.ts';
import { startI18n } from '../../kernel/i18n/index.ts';
import '../../engine/table/generic-cells.tsx';
import { room } from './index.ts';

beforeAll(async () => {
  await startI18n('en');
  room.register?.();
});

test('the log of actions says every kind of job in words', () => {
  const resource = (resources as Resources).find(({ name }) => name === 'action-log');
  const column = resource?.table?.columns.find(({ key }) => key === 'kind');
  const cell = findCell(column?.cell ?? '');
  if (!resource || !column || !cell) throw new Error('The log of actions has no column for the kind of job.');
  const written = ['update_firmware', 'remote_scan'].map(
    (value) => render(createElement(cell, { value, row: { id: 1 }, resource, column, link: (content) => content })).container.textContent,
  );
  expect(written).toEqual(['Update firmware', 'Search for services']);
});
