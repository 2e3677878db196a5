import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** A file's text, or why it is not read. */
export type TextFileAnswer = { text: string } | { code: 'too-large' | 'bad-text'; message: string };

/** Reads a file that people put into a folder: no link, no pipe, at most `maxBytes`, UTF-8. Throws when it cannot be opened. */
export async function readTextFile(path: string, maxBytes: number): Promise<TextFileAnswer> {
  // @NOTE O_NOFOLLOW: between a check and an opening a file can become a link to another one.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = await file.stat();
    if (size > maxBytes)
      return { code: 'too-large', message: `The file has ${Math.ceil(size / 1024)} KB; the limit is ${maxBytes / 1024} KB.` };
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0);
    if (bytesRead > maxBytes) return { code: 'too-large', message: `The file is larger than ${maxBytes / 1024} KB.` };
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(buffer.subarray(0, bytesRead)) };
  } catch (error) {
    if (error instanceof TypeError) return { code: 'bad-text', message: 'The file is not UTF-8 text.' };
    throw error;
  } finally {
    await file.close();
  }
}
