/** The number of single-character edits (insert, delete, replace, swap of neighbours) between two words. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** The known name that was probably meant, or `undefined` when none is close: at most a third of the longer word may differ. */
export function findNearest(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.slice(0, 100).toLowerCase();
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const name of known) {
    const limit = Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 3));
    if (Math.abs(name.length - wanted.length) > limit) continue;
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance <= limit && distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** ` Did you mean "tag-list"?`, or nothing. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const nearest = findNearest(word, known);
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}
