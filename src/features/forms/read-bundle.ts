export interface BundledForm {
  id: string;
  text: string;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isBundled(value: unknown): value is BundledForm {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'text' in value &&
    typeof value.text === 'string'
  );
}

/** The forms in the text of an export, or the one of a form file; `undefined` for what is neither. */
export function readBundle(text: string): BundledForm[] | undefined {
  const content = parse(text);
  if (typeof content !== 'object' || content === null) return undefined;
  if ('forms' in content && Array.isArray(content.forms)) {
    const forms: unknown[] = content.forms;
    return forms.length > 0 && forms.every(isBundled) ? forms.map(({ id, text: source }) => ({ id, text: source })) : undefined;
  }
  return 'id' in content && typeof content.id === 'string' && 'schema' in content ? [{ id: content.id, text }] : undefined;
}
