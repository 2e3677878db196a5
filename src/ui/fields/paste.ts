import type { ClipboardEvent } from 'react';

/** Puts pasted text in place of the selection, trimmed and cut so that the whole is no longer than `maxLength` (docs/behaviour.md section 5). */
export function handlePaste(
  event: ClipboardEvent<HTMLInputElement | HTMLTextAreaElement>,
  maxLength: number | undefined,
  onChange: (value: string) => void,
): void {
  const pasted = event.clipboardData.getData('text');
  const { currentTarget: element } = event;
  const from = element.selectionStart ?? element.value.length;
  const to = element.selectionEnd ?? from;
  const room = maxLength === undefined ? Infinity : Math.max(0, maxLength - (element.value.length - (to - from)));
  const text = cutText(pasted.trim(), room);
  if (text === pasted) return;
  event.preventDefault();
  // execCommand keeps the browser's undo; where it is missing or refused the value is set as a whole.
  if (typeof document.execCommand === 'function' && document.execCommand('insertText', false, text)) return;
  onChange(element.value.slice(0, from) + text + element.value.slice(to));
}

/** The first `length` UTF-16 units, without half a character at the end. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
