import { useMemo } from 'react';
import { createStore, useStore } from '../../kernel/store.ts';
import type { Row } from '../resources/resource.ts';

/** Fields of records that are shown before the server has taken them, by record. */
export type Patches = ReadonlyMap<number, Readonly<Record<string, unknown>>>;

interface Edit {
  readonly resource: string;
  readonly patches: Patches;
  /** Unix milliseconds; rows that were loaded later have it in them. */
  readonly takenAt: number | undefined;
}

const edits = createStore<readonly Edit[]>([]);

/** Shows an edit in the lists of a resource until it is undone, or taken by the server and loaded again. */
export function showEdit(resource: string, patches: Patches): { drop(): void; settle(): void } {
  let edit: Edit = { resource, patches, takenAt: undefined };
  edits.set([...edits.get(), edit]);
  return {
    drop: () => edits.set(edits.get().filter((other) => other !== edit)),
    settle() {
      const settled = { ...edit, takenAt: Date.now() };
      edits.set(edits.get().map((other) => (other === edit ? settled : other)));
      edit = settled;
    },
  };
}

/** Loaded rows with the edits that they cannot have in them yet; the same array where there are none. */
export function useEditedRows(resource: string, rows: readonly Row[], loadedAt: number): readonly Row[] {
  const all = useStore(edits);
  return useMemo(() => {
    const fresh = all.filter((edit) => edit.resource === resource && (edit.takenAt === undefined || loadedAt <= edit.takenAt));
    if (fresh.length === 0) return rows;
    return rows.map((row) => {
      const patches = fresh.flatMap((edit) => edit.patches.get(row.id) ?? []);
      return patches.length === 0 ? row : Object.assign({}, row, ...patches);
    });
  }, [all, resource, rows, loadedAt]);
}
