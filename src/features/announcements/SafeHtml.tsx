import { createElement, type ReactNode } from 'react';

const TAGS: ReadonlySet<string> = new Set(['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'code', 'ul', 'ol', 'li']);
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'ftp:', 'mailto:', 'tel:']);

/** Simple HTML drawn element by element from a list of known ones: whatever the text holds, nothing else can come onto the page. */
export function SafeHtml({ html }: { html: string }) {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return <>{drawAll(body)}</>;
}

/** The words of such a text. */
export function textOfHtml(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent;
}

function drawAll(parent: Element): ReactNode[] {
  return [...parent.childNodes].map((node, index) => (node instanceof Element ? drawElement(node, index) : node.textContent));
}

function drawElement(element: Element, key: number): ReactNode {
  const name = element.localName;
  if (name === 'br') return <br key={key} />;
  const address = name === 'a' ? linkOf(element) : undefined;
  if (address !== undefined) {
    return (
      <a key={key} href={address} target="_blank" rel="noopener noreferrer nofollow">
        {drawAll(element)}
      </a>
    );
  }
  if (TAGS.has(name)) return createElement(name, { key }, ...drawAll(element));
  return name === 'a' ? drawAll(element) : null;
}

function linkOf(element: Element): string | undefined {
  try {
    const url = new URL(element.getAttribute('href') ?? '');
    return SCHEMES.has(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
