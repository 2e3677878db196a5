// @vitest-environment jsdom
import { beforeAll, expect, test } from 'vitest';
import { startI18n } from '../../kernel/i18n/index.ts';
import { getResource } from '../resources/all.ts';
import { ruleText } from './labels.ts';

beforeAll(() => startI18n('en'));

function ruleOf(resourceName: 'changes' | 'users' | 'email-templates', id: string): string {
  const resource = getResource(resourceName);
  const action = resource.actions?.find((one) => one.id === id);
  return action ? ruleText(resource, action) : '';
}

test('the reason why an action does not apply has its own text, else by the field and its values', () => {
  expect(ruleOf('changes', 'changes.undo')).toBe('It cannot be undone');
  expect(ruleOf('users', 'users.enable')).toBe('Only for disabled users');
  expect(ruleOf('email-templates', 'email-templates.reset')).toBe('Only if From is Custom');
});
