import type { Drawing } from '../../../../schemas/kit/drawing-types.ts';

/** What the console writes as styles of elements and of themes: no address, no escape, nothing that ends a rule. */
const HARMLESS = /^(?!.*url\()[\w\s#%(),.:;*+/'-]*$/i;
/** Up to here the console looks otherwise (`NARROW` of its lists), which only the browser knows. */
const NARROW_PX = 640;
/** What a drawing does not wait for is asked for after its style sheets. */
const CODE = /\s*<(?:link rel="modulepreload"|script type="module")[^>]*>(?:<\/script>)?/g;

function decode(attribute: string): string {
  return attribute
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** Styles of elements as a style sheet: the content policy allows one with this page's nonce, and none on elements. */
function styleSheetOf(html: string): { html: string; rules: string[] } {
  const known = new Map<string, number>();
  const rules: string[] = [];
  const rewritten = html.replace(/ style="([^"]*)"/g, (_, attribute: string) => {
    const style = decode(attribute);
    if (!HARMLESS.test(style)) return '';
    let number = known.get(style);
    if (number === undefined) {
      number = known.size;
      known.set(style, number);
      rules.push(`[data-drawn="${number}"][data-drawn]{${style}}`);
    }
    return ` data-drawn="${number}"`;
  });
  return { html: rewritten, rules };
}

/**
 * Puts a drawing into the page that is sent: seen as soon as its style sheets are here, out of reach of keyboard, pointer and screen readers
 * until the console takes its place.
 */
export function withDrawing(page: string, { html, variables }: Drawing, nonce: string): string {
  const drawn = styleSheetOf(html);
  const colors = Object.entries(variables)
    .filter((entry) => entry.every((part) => HARMLESS.test(part)))
    .map(([name, value]) => `${name}:${value};`)
    .join('');
  const rules = [
    `:root:root:root{${colors}}`,
    '.drawn{display:contents}',
    `@media(max-width:${NARROW_PX}px){.drawn{display:none}}`,
    ...drawn.rules,
  ].join('');
  const code = page.match(CODE) ?? [];
  return page
    .replace(CODE, '')
    .replace('</body>', () => `${code.join('')}</body>`)
    .replaceAll('<link rel="preload" as="style" ', '<link rel="stylesheet" ')
    .replace('</head>', () => `<style nonce="${nonce}">${rules}</style></head>`)
    .replace('<div id="root"></div>', () => `<div id="root"><div class="drawn" inert aria-hidden="true">${drawn.html}</div></div>`);
}
