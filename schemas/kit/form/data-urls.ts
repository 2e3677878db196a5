/** The name of a file in a `data:` address, as `;name=m%C3%A5ling%3B%20kai.txt` has it; empty without one. */
export function fileNameOf(dataUrl: string): string {
  const [media = ''] = dataUrl.split(';base64,', 1);
  const name = /;name=([^;]*)/.exec(media)?.[1] ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Characters of a `data:` address that are not the file: its type and name. */
const HEAD_LENGTH = 500;

/** The bytes of the largest file that fits into a `data:` address of so many characters: every three of them take four. */
export function bytesInDataUrl(characters: number): number {
  return Math.max(0, Math.floor((characters - HEAD_LENGTH) / 4) * 3);
}
