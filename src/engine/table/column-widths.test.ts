import { expect, test } from 'vitest';
import { layOutColumns } from './column-widths.ts';

const columns = [{ key: 'status', width: 100 }, { key: 'name', primary: true }, { key: 'company' }, { key: 'tags' }];

/** The pixels of a CSS length of ours in a container of this width. */
function pixels(length: string, containerPx: number): number {
  const script = length
    .replaceAll('100cqi', String(containerPx))
    .replaceAll('px', '')
    .replaceAll('calc(', '(')
    .replaceAll('max(', 'Math.max(')
    .replaceAll('round(down,', 'down(');
  return Number(new Function('down', `return ${script}`)((value: number, step: number) => Math.floor(value / step) * step));
}

function layOut(containerPx: number): { widths: number[]; total: number } {
  const { widths, total } = layOutColumns(columns, 90);
  return { widths: widths.map((width) => pixels(width, containerPx)), total: pixels(total, containerPx) };
}

test('columns without a width share what is left, the name with the largest part', () => {
  expect(layOut(1210)).toEqual({ widths: [100, 420, 300, 300], total: 1210 });
});

test('in a narrow window columns keep what they need, so that the table scrolls instead of shrinking', () => {
  expect(layOut(390)).toEqual({ widths: [100, 180, 116, 116], total: 602 });
});
