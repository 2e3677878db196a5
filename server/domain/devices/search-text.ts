import { foldText } from '../../../schemas/kit/text/text-order.ts';

/** What a person may type for a device, in the form that `devices.search_text` is kept in: folded, separators of numbers dropped as well as kept. */
export interface SearchableDevice {
  name: string;
  serial: string;
  /** `00:1E:42:AB:CD:EF` */
  mac: string;
  imei: string | null;
  model?: string;
  description?: string | null;
  iccid?: string | null;
}

// `00-1e-42-ab-cd-ef`, `001e.42ab.cdef`, `00:1E:42` and parts of them
const MAC_LIKE = /^[0-9a-f]{1,4}(?:[:.\s-][0-9a-f]{1,4})+$/;
// `35 000000 000000 6`, `35-000000-000000-6`
const IMEI_LIKE = /^\d[\d -]+\d$/;

/** The text that free text search looks in, each part after a space; write it whenever one of its parts is written. */
export function deviceSearchText(device: SearchableDevice): string {
  const mac = device.mac.toLowerCase();
  const more = [device.model, device.description, device.iccid].map((part) => foldText(part ?? ''));
  const parts = [foldText(device.name), foldText(device.serial), mac, mac.replaceAll(':', ''), device.imei ?? '', ...more];
  return parts.flatMap((part) => (part ? [` ${part}`] : [])).join('');
}

const SHORT_TERM = 3;

/**
 * A search term as `search_text` may have it: as typed, and without separators when it may be a MAC or an IMEI. Any of them counts.
 * One or two characters are looked for at the start of a part only; anywhere, they would match nearly everything.
 */
export function searchNeedles(term: string): string[] {
  const folded = foldText(term.trim());
  const isNumber = MAC_LIKE.test(folded) || IMEI_LIKE.test(folded);
  const needles = new Set([folded, ...(isNumber ? [folded.replace(/[:.\s-]/g, '')] : [])]);
  return [...needles].map((needle) => ([...needle].length < SHORT_TERM ? ` ${needle}` : needle));
}
