import sanitizeHtml from 'sanitize-html';

const SCHEMES = ['http', 'https', 'ftp', 'mailto', 'tel'];

/**
 * A text with nothing in it but words, emphasis, lists and links to other places (docs/behaviour.md section 3, Announcement).
 * Empty when nothing is left to read.
 */
export function cleanHtml(html: string): string {
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
