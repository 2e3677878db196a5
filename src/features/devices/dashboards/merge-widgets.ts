import { arranged, type Widget } from '../../../../schemas/kit/resources/dashboards.ts';

const isSame = (a: Widget | undefined, b: Widget | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What two people made of the same widgets, together: each change of either; where both changed the same widget, mine. */
export function mergeWidgets(base: readonly Widget[], mine: readonly Widget[], theirs: readonly Widget[]): Widget[] {
  const [before, own] = [base, mine].map((list) => new Map(list.map((widget) => [widget.id, widget]))) as [
    Map<string, Widget>,
    Map<string, Widget>,
  ];
  const used = new Set(theirs.map(({ id }) => id));
  const isMine = (id: string): boolean => !isSame(before.get(id), own.get(id));
  const kept = theirs.flatMap((widget): Widget[] => {
    if (!isMine(widget.id) || !before.has(widget.id)) return [widget];
    const changed = own.get(widget.id);
    return changed ? [changed] : [];
  });
  const added = mine.flatMap((widget): Widget[] => {
    if (!isMine(widget.id)) return [];
    if (!used.has(widget.id)) return [widget];
    if (before.has(widget.id)) return [];
    // Both added a widget, and both called it the same.
    let number = 1;
    while (used.has(`w${number}`) || own.has(`w${number}`)) number += 1;
    used.add(`w${number}`);
    return [{ ...widget, id: `w${number}` }];
  });
  return arranged([...kept, ...added]);
}

/** How many widgets are not the same in the two. */
export function countChanged(before: readonly Widget[], after: readonly Widget[]): number {
  const [a, b] = [new Map(before.map((one) => [one.id, one])), new Map(after.map((one) => [one.id, one]))];
  return [...new Set([...a.keys(), ...b.keys()])].filter((id) => !isSame(a.get(id), b.get(id))).length;
}
