/** Line breaks and other control characters, and the marks that turn the direction of text around (a way to disguise a name). */
const UNSEEN = '\\p{Cc}\\u202A-\\u202E\\u2066-\\u2069';

/**
 * The formats that a schema may name. All are regular expressions without nested repetition, so that both sides run the same code,
 * compiled validators need no imports, and a hostile text costs linear time.
 */
export const formats = {
  /** A name people give: `Bergen ferry quay 04`. Never one of ` \ / : * ? " < > | ' (docs/behaviour.md section 5), nor space at its ends. */
  name: new RegExp(`^(?!\\s)[^\`\\\\/:*?"<>|'${UNSEEN}]*(?<!\\s)$`, 'u'),
  /** One line of text: `O'Brien`. No line break, no space at its ends. */
  line: new RegExp(`^(?!\\s)[^${UNSEEN}]*(?<!\\s)$`, 'u'),
  /** `kari@fjordline.example` */
  email:
    /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}){0,20}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,20}[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/,
  /** `192.168.1.1` */
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/,
  /** `quay-04.fjordline.no`: labels of 1 to 63 letters, digits and inner hyphens, then a top level of 2 to 6 letters (docs/behaviour.md section 5). */
  hostname: /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,20}[A-Za-z]{2,6}$/,
  /** `#0958d9` */
  color: /^#[0-9A-Fa-f]{6}$/,
  /** `00:1E:42:AB:CD:EF` */
  mac: /^[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}$/,
  /** `2026-11-21 03:15:00`, always UTC */
  timestamp: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/,
} as const satisfies Record<string, RegExp>;

export type FormatName = keyof typeof formats;
