/** What is typed while there is no box yet to type into. */
export interface Typed {
  text(): string;
  stop(): void;
}

/** Keeps what is typed on the page from now on, until it is stopped. */
export function keepTyped(): Typed {
  let text = '';
  const handleKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Backspace') text = text.slice(0, -1);
    else if (event.key.length === 1) text += event.key;
  };
  document.addEventListener('keydown', handleKey, true);
  return { text: () => text, stop: () => document.removeEventListener('keydown', handleKey, true) };
}
