import { expect, test } from 'vitest';
import { layOutColumns, pinStyles } from './column-widths.ts';

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

test('a column with a larger share gets more of what is left', () => {
  const { widths } = layOutColumns([{ key: 'name', primary: true }, { key: 'kind' }, { key: 'text', share: 1.6 }], 90);
  expect(widths.map((width) => pixels(width, 1290))).toEqual([420, 300, 480]);
});

test('in a narrow window columns keep what they need, so that the table scrolls instead of shrinking', () => {
  expect(layOut(390)).toEqual({ widths: [100, 180, 116, 116], total: 602 });
});

test('a width of the user is kept, and the others share what is left', () => {
  const { widths, isElastic } = layOutColumns(columns, 90, { name: 200, tags: 300 });
  expect(widths.map((width) => pixels(width, 1210))).toEqual([100, 200, 520, 300]);
  expect(isElastic).toBe(true);
  expect(layOutColumns(columns, 90, { name: 200, tags: 300, company: 80 })).toMatchObject({ isElastic: false });
});

test('columns that stay stand beside each other at their side', () => {
  const pinned = { status: 'left', tags: 'right', company: 'right' } as const;
  const styles = pinStyles(columns, pinned, ['100px', '180px', '120px', '130px'], { leftPx: 42, rightPx: 52 });
  expect(styles.get('status')).toEqual({ left: 'calc(42px)' });
  expect(styles.get('name')).toEqual({ left: 'calc(42px + 100px)' });
  expect(styles.get('tags')).toEqual({ left: 'auto', right: 'calc(52px)' });
  expect(styles.get('company')).toEqual({ left: 'auto', right: 'calc(52px + 130px)' });
});
