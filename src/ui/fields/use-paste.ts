import { useState } from 'react';
import type { ClipboardEvent } from 'react';

type TextElement = HTMLInputElement | HTMLTextAreaElement;

export interface PasteOptions {
  maxLength: number | undefined;
  onChange: (value: string) => void;
  /** Another spelling of what is pasted, such as a MAC address with points. */
  normalize?: (text: string) => string;
}

/**
 * Puts pasted text in place of the selection, trimmed and cut so that the whole is no longer than `maxLength` (docs/behaviour.md section 5).
 * `cutTo` is that length after a paste that was cut, for the field to say so, until `clear`.
 */
export function usePaste({ maxLength, onChange, normalize }: PasteOptions): {
  cutTo: number | undefined;
  clear: () => void;
  handlePaste: (event: ClipboardEvent<TextElement>) => void;
} {
  const [cutTo, setCutTo] = useState<number>();

  function handlePaste(event: ClipboardEvent<TextElement>): void {
    const pasted = event.clipboardData.getData('text');
    const { currentTarget: element } = event;
    const from = element.selectionStart ?? element.value.length;
    const to = element.selectionEnd ?? from;
    const room = maxLength === undefined ? Infinity : Math.max(0, maxLength - (element.value.length - (to - from)));
    const wanted = normalize ? normalize(pasted.trim()) : pasted.trim();
    const text = cutText(wanted, room);
    setCutTo(text === wanted ? undefined : maxLength);
    if (text === pasted) return;
    event.preventDefault();
    // execCommand keeps the browser's undo; where it is missing or refused the value is set as a whole.
    if (typeof document.execCommand === 'function' && document.execCommand('insertText', false, text)) return;
    onChange(element.value.slice(0, from) + text + element.value.slice(to));
  }

  return { cutTo, clear: () => setCutTo(undefined), handlePaste };
}

/** The first `length` UTF-16 units, without half a character at the end. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
