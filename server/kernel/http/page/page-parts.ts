import type { Drawing } from '../../../../schemas/kit/drawing-types.ts';

/** What the console writes as styles of elements and of themes: no address, no escape, nothing that ends a rule. */
const HARMLESS = /^(?!.*url\()[\w\s#%(),.:;*+/'-]*$/i;
/** What the page is seen without: code, and reads that are asked for ahead. */
const UNSEEN = /\s*<(?:link rel="(?:modulepreload"|preload" as="fetch")|script type="module")[^>]*>(?:<\/script>)?/g;

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

function parted(page: string): { start: string; unseen: string; body: string } {
  const end = page.indexOf('</head>');
  const head = page.slice(0, end);
  const start = head.replace(UNSEEN, '').replaceAll('<link rel="preload" as="style" ', '<link rel="stylesheet" ');
  return { start, unseen: (head.match(UNSEEN) ?? []).join(''), body: page.slice(end) };
}

/** The first part of a page, the same whatever it begins with: browsers fetch its style sheets while the rest is made. */
export function startOf(page: string): string {
  return parted(page).start;
}

/**
 * The rest of a page, with its drawing if there is one: seen as soon as the style sheets are here, out of reach of keyboard, pointer and screen
 * readers until the console takes its place, whose code is asked for last.
 */
export function restOf(page: string, drawing: Drawing | undefined, nonce: string): string {
  const { unseen, body } = parted(page);
  if (!drawing) return `${unseen}${body}`;
  const { html, variables, notFor } = drawing;
  const drawn = styleSheetOf(html);
  const colors = Object.entries(variables)
    .filter((entry) => entry.every((part) => HARMLESS.test(part)))
    .map(([name, value]) => `${name}:${value};`)
    .join('');
  const rules = [`:root:root:root{${colors}}`, '.drawn{display:contents}', `@media ${notFor}{.drawn{display:none}}`, ...drawn.rules].join(
    '',
  );
  const filled = body
    .replace('</body>', () => `${unseen}</body>`)
    .replace('<div id="root"></div>', () => `<div id="root"><div class="drawn" inert aria-hidden="true">${drawn.html}</div></div>`);
  return `<style nonce="${nonce}">${rules}</style>${filled}`;
}
