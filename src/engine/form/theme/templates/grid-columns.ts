const ALL = 12;

/** How many twelfths of a row a column takes: what it says for the widest screens (`md: 6`, `{ span: 6 }`, `col-md-6`), else the whole row. */
export function columnsOf(className: string | undefined, sizes: Readonly<Record<string, unknown>>): number {
  for (const name of ['span', 'lg', 'md', 'sm', 'xs', 'size']) {
    const size = sizes[name];
    if (typeof size === 'number') return clamp(size);
    if (typeof size === 'object' && size !== null && 'span' in size && typeof size.span === 'number') return clamp(size.span);
  }
  // `col-md-6`, `col-6`
  const named = /\bcol-(?:[a-z]+-)?(\d+)\b/.exec(className ?? '')?.[1];
  return named === undefined ? ALL : clamp(Number(named));
}

function clamp(columns: number): number {
  return Math.min(ALL, Math.max(1, Math.round(columns)));
}
