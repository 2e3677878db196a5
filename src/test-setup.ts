import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import { namesOfTexts, want } from './kernel/i18n/load-texts.ts';
import { queryClient } from './kernel/queries.ts';

// What a test draws is not loaded by what draws it in the console, so all texts are there.
want(await namesOfTexts());

// jsdom has no media queries and no top layer: nothing matches, and what would be lifted stays where it is.
window.matchMedia ??= (media: string): MediaQueryList => ({
  media,
  matches: false,
  onchange: null,
  addListener: () => undefined,
  removeListener: () => undefined,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  dispatchEvent: () => false,
});

// Nothing is laid out in jsdom, so no size ever changes.
window.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};

HTMLElement.prototype.showPopover ??= function showPopover() {
  this.removeAttribute('popover');
};

// antd's rules stay out of the document: with them jsdom's getComputedStyle, and so every query by role, takes seconds.
const createElement = document.createElement.bind(document);
document.createElement = (name: string, options?: ElementCreationOptions) => {
  const element = createElement(name, options);
  if (element instanceof HTMLStyleElement) {
    const setAttribute = element.setAttribute.bind(element);
    element.setAttribute = (attribute, value) => {
      // Only antd's have this attribute; it is set before they are put into the page.
      if (attribute === 'data-rc-order') element.type = 'text/plain';
      setAttribute(attribute, value);
    };
  }
  return element;
};

// Browsers know the code of a key, jsdom leaves it at 0; antd's lists go by it.
const KEY_CODES: Record<string, number> = {
  Backspace: 8,
  Tab: 9,
  Enter: 13,
  Escape: 27,
  ' ': 32,
  End: 35,
  Home: 36,
  ArrowUp: 38,
  ArrowDown: 40,
};
Object.defineProperty(KeyboardEvent.prototype, 'keyCode', {
  get(this: KeyboardEvent) {
    return KEY_CODES[this.key] ?? (this.key.length === 1 ? this.key.toUpperCase().charCodeAt(0) : 0);
  },
});

// A deadline, not a wait: what is looked for is usually there at once, but machines that do much else are slow.
configure({ asyncUtilTimeout: 45_000 });

afterEach(() => {
  cleanup();
  queryClient.clear();
});
