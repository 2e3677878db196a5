const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([disabled]):not([type="hidden"]), select:not([disabled]), textarea:not([disabled]), summary, [tabindex]:not([tabindex="-1"])';

/** What Tab reaches inside an element, in order. */
export function focusableIn(root: Element): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((element) => {
    if (element.tabIndex < 0 || element.closest('[hidden], [inert]')) return false;
    // One radio of a group is a stop: the chosen one, or the first.
    if (element instanceof HTMLInputElement && element.type === 'radio' && !element.checked && element.name) {
      const group = [...root.querySelectorAll<HTMLInputElement>('input[type="radio"]')].filter((radio) => radio.name === element.name);
      return !group.some((radio) => radio.checked) && group[0] === element;
    }
    return getComputedStyle(element).visibility !== 'hidden';
  });
}

/** What asks for the focus and can have it now. */
export function findWanted(frame: HTMLElement): HTMLElement | undefined {
  return [...frame.querySelectorAll<HTMLElement>('[data-autofocus]')].find((element) => !element.closest('[hidden], [inert]'));
}

/** Puts the focus where a dialog starts: what asks for it, else the first field, else the first button of the body, else the frame itself. */
export function focusFirst(frame: HTMLElement): void {
  const wanted = findWanted(frame);
  const body = frame.querySelector('[data-dialog-body]');
  const inBody = body ? focusableIn(body) : [];
  const field = inBody.find((element) => element.matches('input, select, textarea, [role="combobox"]'));
  (wanted ?? field ?? inBody[0] ?? frame).focus({ preventScroll: true });
}

/** Keeps Tab inside the given regions, in their order, from the last stop round to the first. */
export function trapTab(event: KeyboardEvent, regions: readonly Element[]): void {
  if (event.key !== 'Tab' || event.defaultPrevented) return;
  const stops = regions.flatMap((region) => focusableIn(region).map((element) => ({ element, region })));
  const here = stops.findIndex(({ element }) => element === document.activeElement);
  const isInside = regions.some((region) => region.contains(document.activeElement));
  // A focused element that is no stop itself (the frame) lets Tab go on by the browser, unless backwards out of the frame.
  if (stops.length > 0 && here === -1 && isInside && !event.shiftKey) return;
  const next = here === -1 ? (event.shiftKey ? -1 : 0) : here + (event.shiftKey ? -1 : 1);
  // Within a region the browser knows best; from one to the next it would go by the page's order.
  if (here !== -1 && stops[next]?.region === stops[here]?.region) return;
  event.preventDefault();
  stops.at(next % stops.length)?.element.focus();
}

/** Gives the focus back to who had it, or to the page's main region when that is gone. */
export function returnFocus(opener: Element | null): void {
  const target = opener instanceof HTMLElement && opener.isConnected && !opener.closest('[inert], [hidden]') ? opener : undefined;
  target?.focus({ preventScroll: true });
  if (target && document.activeElement === target && target !== document.body) return;
  const main = document.querySelector<HTMLElement>('main');
  if (!main) return;
  if (!main.hasAttribute('tabindex')) main.setAttribute('tabindex', '-1');
  main.focus({ preventScroll: true });
}
