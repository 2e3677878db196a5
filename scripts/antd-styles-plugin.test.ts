import { expect, test } from 'vitest';
import { antdRules, usedComponents } from './antd-styles-plugin.ts';

test('every component of antd that the console imports has its rules in the style sheet of the build, in the colours of tokens.css', () => {
  const used = usedComponents();
  expect(used).toEqual(expect.arrayContaining(['button', 'dropdown', 'menu', 'tooltip']));
  const rules = antdRules(used);
  expect(rules.includes('.ant-dropdown-menu-item')).toBe(true);
  expect(rules.includes('background:var(--c-accent-fill)')).toBe(true);
  // Blue is antd's own, black comes of computing with a variable.
  expect(rules.match(/#1677ff|#000000/g)).toBeNull();
  // The links and the focus ring of the page are the console's own.
  expect(rules.match(/(?:^|\}|,)a\b[^.{]*\{/g)).toBeNull();
});

test('a component without rules is refused by name', () => {
  expect(() => antdRules(['config-provider'])).toThrow('config-provider');
});
