import { expect, test } from 'vitest';
import { restOf, startOf } from './page-parts.ts';

const PAGE = '<head><link rel="preload" as="style" crossorigin href="/assets/a.css"></head><body><div id="root"></div></body>';
const whole = (page: string, html: string, variables: Record<string, string> = {}): string =>
  startOf(page) + restOf(page, { html, variables, notFor: '(max-width: 9px)' }, 'N0nce');
const draw = (html: string, variables: Record<string, string> = {}): string => whole(PAGE, html, variables);

test('a drawing is seen with its style sheets, and out of reach until the console takes its place', () => {
  const page = draw('<p>Rows</p>');
  expect(page).toContain('<link rel="stylesheet" crossorigin href="/assets/a.css">');
  expect(page).toContain('@media (max-width: 9px){.drawn{display:none}}');
  expect(page).toContain('<div id="root"><div class="drawn" inert aria-hidden="true"><p>Rows</p></div></div>');
});

test('styles of elements become rules of one sheet with the nonce of the page, each once', () => {
  const page = draw('<i style="width:2px"></i><b style="color:light-dark(#111, #eee)"></b><u style="width:2px"></u>');
  expect(page).not.toContain(' style="');
  expect(page).toContain('<i data-drawn="0"></i><b data-drawn="1"></b><u data-drawn="0"></u>');
  expect(/<style nonce="N0nce">(.*)<\/style>/.exec(page)?.[1]).toMatch(
    /\[data-drawn="0"\]\[data-drawn\]\{width:2px\}\[data-drawn="1"\]\[data-drawn\]\{color:light-dark\(#111, #eee\)\}$/,
  );
});

test.each([
  'x:1}</style><script>',
  'background:url(//evil)',
  'background:URL(//evil)',
  'a:"b"',
  'a:\\75rl',
  'x:1}body{display:none',
  'a:<b>',
  '@import x',
])('IN1 a style that is more than a style is left out: %s', (style) => {
  const attribute = style.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  expect(draw(`<i style="${attribute}">x</i>`)).toBe(draw('<i>x</i>'));
  expect(draw('<i>x</i>', { '--accent': style, [style]: '1' })).toBe(draw('<i>x</i>'));
});

test('the code of the console is asked for after what the drawing is seen with', () => {
  const code = '<script type="module" crossorigin src="/assets/i.js"></script><link rel="modulepreload" crossorigin href="/assets/r.js">';
  const page = whole(PAGE.replace('<head>', `<head>${code}`), '<p>Rows</p>');
  expect(page.endsWith(`${code}</body>`)).toBe(true);
  expect(page.split(code)).toHaveLength(2);
});

test('dollar signs in what is drawn stay what they are', () => {
  expect(draw('<p>$& $1 $$</p>')).toContain('<p>$& $1 $$</p>');
});

test('the first part of a page has its style sheets, and is the same whether reads are asked for ahead or their answers came along', () => {
  const read = '<link rel="preload" as="fetch" href="/api/user" data-list="*">';
  const asked = PAGE.replace('<head>', `<head>${read}`);
  expect(startOf(asked)).toBe('<head><link rel="stylesheet" crossorigin href="/assets/a.css">');
  expect(startOf(asked)).toBe(startOf(PAGE));
  expect(startOf(asked) + restOf(asked, undefined, 'N0nce')).toContain(`${read}</head>`);
});
