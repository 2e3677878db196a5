/** What a label names in its QR code, such as `SN:1106433012;I:356938035643809;M:001E42ABCDEF;…`. */
const PART = /(?:^|[;,\s])(SN|S|M|MAC|I|IMEI)[:=]\s*([A-Za-z0-9:._-]+)/gi;

/**
 * The line of a list that a scanned code stands for: `serial, MAC, name, series, IMEI` of a label that names them, else the code itself. A password on a label
 * is left out.
 */
export function scannedLine(code: string): string {
  const parts = new Map([...code.matchAll(PART)].map(([, name = '', value = '']) => [name.charAt(0).toUpperCase(), value]));
  const serial = parts.get('S');
  if (serial === undefined) return code.replaceAll(/[\p{Cc},;]+/gu, ' ').trim();
  const cells = [serial, parts.get('M') ?? '', '', '', parts.get('I') ?? ''];
  return cells.join(', ').replace(/(?:,\s*)+$/, '');
}
