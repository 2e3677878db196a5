import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { hasText, LanguageScope, startI18n, translate, useT } from './index.ts';
import { Trans } from './Trans.tsx';
import { addTexts } from './translator.ts';

addTexts('en', 'test', {
  'test.plain': 'Costs {price}; $t(test.other)',
  'test.other': 'other',
  'test.found_one': '{count} row of {total}',
  'test.found_other': '{count} rows of {total}',
  'test.terms': 'You accept the <terms>terms of {name}</terms> and <b>{count}</b> more.',
});
addTexts('uk', 'test', {
  'test.found_few': '{count} рядки з {total}',
  'test.found_many': '{count} рядків з {total}',
  'test.found_other': '{count} рядка',
});

test('what is in a parameter is shown as it is, even where i18next has a meaning for it', async () => {
  await startI18n('en');
  expect(translate('test.plain', { price: '{name} $t(test.other) $1', count: 'many', lng: 'uk', context: 'x', defaultValue: 'y' })).toBe(
    'Costs {name} $t(test.other) $1; $t(test.other)',
  );
  expect(translate('test.plain')).toBe('Costs {price}; $t(test.other)');
  expect(translate('test.found', { count: 1 })).toBe('1 row of ');
  expect(translate('test.found', { count: 12_345, total: 99_999.5 })).toBe('12,345 rows of 99,999.5');
});

test('an unknown key is its own text, and names that every object has are none', async () => {
  await startI18n('en');
  expect(['test.nothing', 'constructor', '__proto__', 'toString'].map((key) => [translate(key, {}), hasText(key)])).toEqual([
    ['test.nothing', false],
    ['constructor', false],
    ['__proto__', false],
    ['toString', false],
  ]);
});

function Found() {
  return <p>{useT()('test.found', { count: 3, total: 7 })}</p>;
}

test('a part of the page is in a language of its own', async () => {
  await startI18n('en');
  render(
    <>
      <Found />
      <LanguageScope language="uk">
        <Found />
      </LanguageScope>
    </>,
  );
  expect(await screen.findByText('3 рядки з 7')).toBeTruthy();
  expect(screen.getByText('3 rows of 7')).toBeTruthy();
});

test('words carry a link, and no markup comes from a parameter', async () => {
  await startI18n('en');
  const components = { terms: <a href="/terms">-</a>, b: <b>-</b> };
  const { container } = render(<Trans text="test.terms" params={{ name: '<b>x</b> & co', count: 1204 }} components={components} />);
  expect(screen.getByRole('link').textContent).toBe('terms of <b>x</b> & co');
  expect(container.textContent).toBe('You accept the terms of <b>x</b> & co and 1,204 more.');
});
