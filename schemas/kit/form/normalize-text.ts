/** A MAC as it is stored: `00-1E-42-AB-CD-EF`, `001e.42ab.cdef`, `001E42ABCDEF` → `00:1E:42:AB:CD:EF`; undefined for anything but twelve hex digits. */
export function normalizeMac(text: string): string | undefined {
  const digits = text.replace(/[\s:.-]/g, '');
  return /^[0-9a-f]{12}$/i.test(digits) ? digits.toUpperCase().replace(/(..)(?!$)/g, '$1:') : undefined;
}

/** `35-693803-564380-9` → `356938035643809` */
function normalizeImei(text: string): string | undefined {
  const digits = text.replace(/[\s/.-]/g, '');
  return /^\d{15}$/.test(digits) ? digits : undefined;
}

/** `+47 912 34 567`, `0047 91234567`, `(912) 34-567` → `+4791234567`, `+4791234567`, `91234567` */
function normalizePhone(text: string): string | undefined {
  const digits = text.replace(/[\s()./-]/g, '').replace(/^00(?=[1-9])/, '+');
  return /^\+?\d{5,15}$/.test(digits) ? digits : undefined;
}

/** `192,168,1,1`, `192 . 168 . 1 . 1` → `192.168.1.1`; with a prefix after the address for CIDR. */
function normalizeAddress(text: string): string | undefined {
  const compact = text.replace(/\s/g, '').replaceAll(',', '.');
  return /^\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?$/.test(compact) ? compact : undefined;
}

// What a host cannot have, and what would make it an address of something else
const NOT_OF_HOSTS = /[\s/\\?#@:%[\]]/;

/** `Tromsø.example` → `xn--troms-zua.example` (IDNA). */
function normalizeHost(text: string): string | undefined {
  const url = NOT_OF_HOSTS.test(text) ? null : URL.parse(`http://${text}`);
  return url?.hostname.startsWith('xn--') || url?.hostname.includes('.xn--') ? url.hostname : undefined;
}

const spellings: Readonly<Record<string, (text: string) => string | undefined>> = {
  mac: normalizeMac,
  imei: normalizeImei,
  phone: normalizePhone,
  ipv4: normalizeAddress,
  cidr: normalizeAddress,
  hostname: normalizeHost,
};

// Full-width digits and punctuation, as a Japanese keyboard types them.
const WIDE = /[\uFF01-\uFF5E\u3000\u3002]/g;

/** Whether texts of this format have other spellings that are taken. */
export function isNormalized(format: string): boolean {
  return Object.hasOwn(spellings, format);
}

/**
 * Another spelling of a value as its format wants it (docs/behaviour.md section 5). What is not recognised as a whole comes back as it
 * is: nothing that somebody entered is ever taken away. Calling it again changes nothing.
 */
export function normalizeText(format: string | undefined, text: string): string {
  const normalize = format !== undefined && Object.hasOwn(spellings, format) ? spellings[format] : undefined;
  return normalize?.(text.replace(WIDE, (character) => (character === '\u3002' ? '.' : character.normalize('NFKC')))) ?? text;
}
