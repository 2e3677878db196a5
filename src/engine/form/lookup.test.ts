import { beforeAll, expect, test } from 'vitest';
import { loadTexts, startI18n } from '../../kernel/i18n/index.ts';
import { getLookup, optionOf } from './lookup.ts';

beforeAll(async () => {
  await startI18n('en');
  await loadTexts('lists');
});

test('a zone of VPN hubs says in words whether its machine is there', () => {
  const zone = { name: 'oslo', visual_name: 'Oslo' };
  const entry = getLookup('vpn-zones');
  expect(optionOf(entry, { ...zone, state: 'away' })).toEqual({ value: 'oslo', label: 'Oslo', detail: 'Offline' });
  expect(optionOf(entry, { ...zone, state: 'answers' })).toEqual({ value: 'oslo', label: 'Oslo', detail: 'Online' });
});

test('a detail without a text of its own is shown as it is', () => {
  const entry = { path: '/x', value: 'id', label: 'name', detail: 'state', detailTexts: 'values.vpn_hub.zone_state' };
  expect(optionOf(entry, { id: 1, name: 'One', state: 'other' })).toEqual({ value: 1, label: 'One', detail: 'other' });
});
