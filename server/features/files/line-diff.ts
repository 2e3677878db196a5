const CONTEXT = 3;

interface Edit {
  kind: ' ' | '-' | '+';
  line: string;
}

/**
 * The lines of two texts one after another, as kept, removed or added, with as few changes as there can be (Myers 1986); undefined when more than
 * `maxEdits` lines differ. Time and memory grow with the square of the changes.
 */
function editsOf(before: readonly string[], after: readonly string[], maxEdits: number): Edit[] | undefined {
  const traces: Int32Array[] = [];
  const size = 2 * maxEdits + 2;
  let furthest = new Int32Array(size).fill(-1);
  furthest[maxEdits + 1] = 0;
  for (let edits = 0; edits <= maxEdits; edits += 1) {
    traces.push(furthest.slice(maxEdits - edits, maxEdits + edits + 2));
    const next = furthest.slice();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const at = maxEdits + diagonal;
      const [below, above] = [furthest[at - 1] ?? -1, furthest[at + 1] ?? -1];
      const isDown = diagonal === -edits || (diagonal !== edits && below < above);
      let x = isDown ? above : below + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      next[at] = x;
      if (x >= before.length && x - diagonal >= after.length) return walkBack(before, after, traces);
    }
    furthest = next;
  }
  return undefined;
}

function walkBack(before: readonly string[], after: readonly string[], traces: readonly Int32Array[]): Edit[] {
  const edits: Edit[] = [];
  let [x, y] = [before.length, after.length];
  for (let count = traces.length - 1; count >= 0; count -= 1) {
    const trace = traces[count];
    // `trace` begins at the diagonal `-count`.
    const furthestOn = (diagonal: number): number => trace?.[diagonal + count] ?? -1;
    const diagonal = x - y;
    const isDown = diagonal === -count || (diagonal !== count && furthestOn(diagonal - 1) < furthestOn(diagonal + 1));
    const former = isDown ? diagonal + 1 : diagonal - 1;
    const formerX = count === 0 ? 0 : furthestOn(former);
    const formerY = count === 0 ? 0 : formerX - former;
    while (x > formerX && y > formerY) {
      x -= 1;
      y -= 1;
      edits.push({ kind: ' ', line: before[x] ?? '' });
    }
    if (count === 0) break;
    if (isDown) edits.push({ kind: '+', line: after[(y -= 1)] ?? '' });
    else edits.push({ kind: '-', line: before[(x -= 1)] ?? '' });
  }
  return edits.reverse();
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The places of changes with a few lines around them, as [from, to) of the edits. */
function hunksOf(edits: readonly Edit[]): [number, number][] {
  const hunks: [number, number][] = [];
  for (const [index, { kind }] of edits.entries()) {
    if (kind === ' ') continue;
    const [from, to] = [Math.max(0, index - CONTEXT), Math.min(edits.length, index + CONTEXT + 1)];
    const last = hunks.at(-1);
    if (last && from <= last[1]) last[1] = to;
    else hunks.push([from, to]);
  }
  return hunks;
}

/** How two texts differ as the hunks of a unified diff; empty when they are equal, undefined when they differ in too many lines. */
export function unifiedDiff(before: string, after: string, { maxEdits }: { maxEdits: number }): string | undefined {
  const edits = editsOf(linesOf(before), linesOf(after), maxEdits);
  if (!edits) return undefined;
  const counts = { ' ': 0, '-': 0, '+': 0 };
  const places = edits.map(({ kind }) => {
    const place = { before: counts[' '] + counts['-'], after: counts[' '] + counts['+'] };
    counts[kind] += 1;
    return place;
  });
  return hunksOf(edits)
    .map(([from, to]) => {
      const part = edits.slice(from, to);
      const removed = part.filter(({ kind }) => kind !== '+').length;
      const added = part.filter(({ kind }) => kind !== '-').length;
      const place = places[from] ?? { before: 0, after: 0 };
      const head = `@@ -${removed === 0 ? place.before : place.before + 1},${removed} +${added === 0 ? place.after : place.after + 1},${added} @@`;
      return [head, ...part.map(({ kind, line }) => `${kind}${line}`)].join('\n');
    })
    .join('\n');
}
