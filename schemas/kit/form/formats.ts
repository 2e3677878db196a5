/** Line breaks and other control characters, and the marks that turn the direction of text around (a way to disguise a name). */
const UNSEEN = '\\p{Cc}\\u202A-\\u202E\\u2066-\\u2069';

/**
 * The formats of our own, which the console also checks by themselves; `allFormats` has the standard ones too. Theirs of the same name are not used:
 * that of `email` costs more than linear time on a hostile text, that of `hostname` takes names without a point, those of `date` are functions, and
 * `ipv4` is the same text. All are regular expressions without nested repetition, so that both sides run the same code,
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
  /** `quay-04.fjordline.network`: labels of 1 to 63 letters, digits and inner hyphens (RFC 1123), the last of them no number; IDNA as `xn--…` (docs/behaviour.md section 5). */
  hostname: /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,20}[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/,
  /** `#0958d9` */
  color: /^#[0-9A-Fa-f]{6}$/,
  /** `00:1E:42:AB:CD:EF` */
  mac: /^[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}$/,
  /** `2026-11-21 03:15:00`, always UTC */
  timestamp: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/,
  /** `2026-02-28`; a day that the calendar has. */
  date: /^(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$/,
  /** `10.0.0.0/24` */
  cidr: /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\/(?:3[0-2]|[12]?\d)$/,
  /** `356938035643809`: 15 digits. */
  imei: /^\d{15}$/,
  /** `+4791234567`: 5 to 15 digits, after a plus when they begin with a country code (E.164). */
  phone: /^\+?\d{5,15}$/,
  /** `rutx50-config.json`: what a name may hold (docs/behaviour.md section 5), at most 255 characters; never `.` or `..`. */
  'file-name': new RegExp(`^(?!\\.{1,2}$)(?!\\s)[^\`\\\\/:*?"<>|'${UNSEEN}]{1,255}(?<!\\s)$`, 'u'),
} as const satisfies Record<string, RegExp>;

export type FormatName = keyof typeof formats;

/** Formats whose own rule bounds the length of a text. */
export const BOUNDED_FORMATS: ReadonlySet<string> = new Set([
  'ipv4',
  'ipv6',
  'uuid',
  'color',
  'mac',
  'timestamp',
  'date',
  'cidr',
  'imei',
  'phone',
  'file-name',
]);

/** The bounds of a monitoring period in seconds (docs/behaviour.md section 5): an integer with exactly these says so in words. */
export const MONITORING_PERIOD = { minimum: 60, maximum: 31_536_000 } as const;
