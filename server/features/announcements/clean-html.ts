const SCHEMES = ['http', 'https', 'ftp', 'mailto', 'tel'];

/**
 * A text with nothing in it but words, emphasis, lists and links to other places (docs/behaviour.md section 3, Announcement).
 * Empty when nothing is left to read.
 */
export async function cleanHtml(html: string): Promise<string> {
  // Large, and seldom asked for: not a part of every start.
  const { default: sanitizeHtml } = await import('sanitize-html');
  const clean = sanitizeHtml(html, {
    allowedTags: ['p', 'br', 'b', 'strong', 'i', 'em', 'u', 'code', 'ul', 'ol', 'li', 'a'],
    allowedAttributes: { a: ['href'] },
    allowedSchemes: SCHEMES,
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
  }).trim();
  const words = sanitizeHtml(clean, { allowedTags: [], allowedAttributes: {} });
  return words.replace(/[\s\u00A0\u200B]|&nbsp;/g, '') === '' ? '' : clean;
}
