// Keys that are sequences: arrows, Home and End, F1 to F4, and the others by number. No answer of a terminal is one of them.
const KEY = /^\u001B(?:\[(?:[\d;]*[A-DFHPQSZ~]|\[[A-E])|O\w|[^\u001B])?$/s;
const BRACKETED_PASTE = /^\u001B\[200~/;

/**
 * Whether what a terminal wants to send was typed, pasted or composed by a person: everything else that begins with ESC is an answer to what the remote side
 * asked (where the cursor is, which colours there are), the mouse, or word of the focus.
 */
export function isTyped(text: string): boolean {
  return !text.startsWith('\u001B') || KEY.test(text) || BRACKETED_PASTE.test(text);
}
