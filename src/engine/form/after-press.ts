let isPressed = false;
let isWatching = false;
let held: (() => void)[] = [];

/** Starts to notice when a pointer is pressed and released anywhere on the page. */
export function watchPresses(): void {
  if (isWatching) return;
  isWatching = true;
  window.addEventListener('pointerdown', () => (isPressed = true), true);
  for (const end of ['pointerup', 'pointercancel', 'blur']) window.addEventListener(end, release, true);
}

function release(event: Event): void {
  // Fields lose the focus by an event of the same name.
  if (event.type === 'blur' && event.target !== window) return;
  isPressed = false;
  const works = held;
  held = [];
  // After the click, which follows the release at once.
  if (works.length > 0) setTimeout(() => works.forEach((work) => work()), 0);
}

/**
 * Runs work at once or, while a pointer is pressed, once it is released: what comes on screen in between would move a button away from under the pointer, and
 * its click would be lost.
 */
export function afterPress(work: () => void): void {
  if (isPressed) held.push(work);
  else work();
}
