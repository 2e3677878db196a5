import { currentLanguage } from '../../kernel/i18n/index.ts';

// docs/behaviour.md section 9: byte units step 1024 up to TB.
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const STEP = 1024;

/** A number of bytes with at most one decimal in the largest unit that leaves it at 1 or more: "42.1 GB". */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 1023.96 KB would be written "1,024 KB".
  while (Math.abs(value) >= STEP - 0.05 && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  const format = new Intl.NumberFormat(currentLanguage(), {
    style: 'unit',
    unit: UNITS[unit] ?? 'byte',
    unitDisplay: unit === 0 ? 'narrow' : 'short',
    maximumFractionDigits: unit === 0 ? 0 : 1,
  });
  if (unit > 0) return format.format(value);
  // The only short unit for bytes is the narrow one, which is written close to the number: "0B".
  const parts = format.formatToParts(value).filter(({ type }) => type !== 'literal');
  return parts.map((part) => (part.type === 'unit' ? ` ${part.value}` : part.value)).join('');
}
