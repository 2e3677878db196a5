import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

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

HTMLElement.prototype.showPopover ??= function showPopover() {
  this.removeAttribute('popover');
};

// A deadline, not a wait: what is looked for is usually there at once, but machines that do much else are slow.
configure({ asyncUtilTimeout: 20_000 });

afterEach(cleanup);
