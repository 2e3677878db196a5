/** The digits of a number as text (`-12.50`, `1e21`) without zeros that say nothing, and the power of ten behind them. */
function digitsOf(text: string): { sign: string; digits: string; exponent: number } {
  const [, sign = '', whole = '', fraction = '', power = '0'] = /^([-+]?)(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return { sign: '', digits: '', exponent: 0 };
  return { sign: sign === '-' ? '-' : '', digits: kept, exponent: Number(power) - fraction.length + digits.length - kept.length };
}

/** Whether a number that is written as text (`12.5`, `1e3`) is kept with each of its digits: JSON numbers have room for about sixteen. */
export function isExactNumber(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  const [typed, kept] = [digitsOf(text), digitsOf(String(value))];
  return typed.sign === kept.sign && typed.digits === kept.digits && typed.exponent === kept.exponent;
}

/** A number with all its digits and without a power of ten: 1e-7 → `0.0000001`. */
export function plainDigits(value: number): string {
  const { sign, digits, exponent } = digitsOf(String(value));
  if (digits === '') return '0';
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent);
  const padded = digits.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/** Where in a JSON text the first number stands that would lose digits when it is read. */
export function inexactNumberAt(json: string): number | undefined {
  // A text, or a number.
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g))
    if (!token.startsWith('"') && !isExactNumber(token)) return index;
  return undefined;
}

/**
 * Whether a number is a whole multiple of a step, digit by digit: 1000000000.06 is one of 0.01. Its source also goes into validators that are compiled for
 * the browser, so it calls nothing of this file.
 */
export function isMultipleOf(value: number, step: number): boolean {
  // `1e309` in a body.
  if (!Number.isFinite(value)) return false;
  const parts = [value, step].map((number) => {
    const [digits = '', power = '0'] = String(Math.abs(number)).split('e');
    const [whole = '', fraction = ''] = digits.split('.');
    return { mantissa: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
  });
  const lowest = Math.min(...parts.map(({ exponent }) => exponent));
  const [one = 0n, other = 0n] = parts.map(({ mantissa, exponent }) => mantissa * 10n ** BigInt(exponent - lowest));
  return other !== 0n && one % other === 0n;
}
