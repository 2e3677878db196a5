/** PROTOCOL.md, Session: at most 128 KiB upward. */
export const MAX_PAYLOAD_BYTES = 128 * 1024;
const MAX_DEPTH = 8;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The deepest nesting of brackets outside strings, without parsing: deep input must not reach the parser. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (isInString) {
      if (char === '\\') index += 1;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === '{' || char === '[') {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (char === '}' || char === ']') depth -= 1;
  }
  return deepest;
}

/** Reads a device's payload as one JSON object. Says why not, in words for the log, when it is anything else. Never throws. */
export function parsePayload(bytes: Uint8Array): { payload: Record<string, unknown> } | { why: string } {
  if (bytes.length > MAX_PAYLOAD_BYTES) return { why: 'longer than 128 KiB' };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { why: 'not UTF-8' };
  }
  if (depthOf(text) > MAX_DEPTH) return { why: `nested deeper than ${MAX_DEPTH}` };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { why: 'not JSON' };
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return { why: 'not a JSON object' };
  return { payload: parsed as Record<string, unknown> };
}
