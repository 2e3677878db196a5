import { cleanup } from '@testing-library/react';
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

afterEach(cleanup);
