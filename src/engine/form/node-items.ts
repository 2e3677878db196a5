import { keyAbove } from './paths.ts';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';

/** What is wrong with one node of a form: a field, a group, a list, or a part of one. */
export interface NodeItems {
  /** What our own rules say. */
  client: readonly ErrorItem[];
  /** What the server said. */
  server: readonly ErrorItem[];
}

const NOTHING: readonly ErrorItem[] = [];
export const NO_ITEMS: NodeItems = { client: NOTHING, server: NOTHING };

/** The node that shows what is wrong at a place: that place if it is drawn, else the nearest one around it. Empty for the form as a whole. */
export function nodeOf(source: string, isNode: (key: string) => boolean): string {
  let key = source;
  while (key !== '' && !isNode(key)) key = keyAbove(key);
  return key;
}

/** The items by the node that shows them. What says the same as before is the same object, so that nothing is drawn again for it. */
export function placeItems(
  { client, server }: NodeItems,
  isNode: (key: string) => boolean,
  before: ReadonlyMap<string, NodeItems>,
): Map<string, NodeItems> {
  const byNode = (items: readonly ErrorItem[]) => Map.groupBy(items, ({ source = '' }) => nodeOf(source, isNode));
  const [clients, servers] = [byNode(client), byNode(server)];
  const placed = new Map<string, NodeItems>();
  for (const key of new Set([...clients.keys(), ...servers.keys()])) {
    const last = before.get(key) ?? NO_ITEMS;
    const next = {
      client: sameItems(clients.get(key) ?? NOTHING, last.client),
      server: sameItems(servers.get(key) ?? NOTHING, last.server),
    };
    placed.set(key, next.client === last.client && next.server === last.server ? last : next);
  }
  return placed;
}

/** The former list when it says the same. */
function sameItems(next: readonly ErrorItem[], before: readonly ErrorItem[]): readonly ErrorItem[] {
  const isSame =
    next.length === before.length &&
    next.every(({ code, message, source }, index) => {
      const other = before[index];
      return other?.code === code && other.message === message && other.source === source;
    });
  return isSame ? before : next;
}
