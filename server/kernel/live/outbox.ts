import type { EventName } from '../../../schemas/_generated/contract.ts';

const SLOT_MS = 250; // four packets a second for each channel and event
const SOON_MS = 1;
const MAX_PER_PACKET = 1000;

/** Events of which only the newest state of a thing matters; changes of fields are merged. */
const COALESCED: ReadonlySet<EventName> = new Set<EventName>([
  'DeviceChanged',
  'CompanyChanged',
  'TagChanged',
  'UserChanged',
  'JobChanged',
  'JobProgress',
  'JobTargetChanged',
]);

interface Box {
  event: EventName;
  /** By id for events that are merged, by arrival for the rest. */
  waiting: Map<number, object>;
  nextKey: number;
  timer: NodeJS.Timeout | undefined;
}

/** Gathers events for each destination and hands them over in batches: the first at once, then at most one batch in 250 ms. */
export function createOutbox(send: (destination: string, event: EventName, payloads: object[]) => void) {
  const boxes = new Map<string, Box>();

  function flush(key: string, destination: string, box: Box): void {
    box.timer = undefined;
    if (box.waiting.size === 0) {
      boxes.delete(key);
      return;
    }
    const payloads: object[] = [];
    for (const [id, payload] of box.waiting) {
      payloads.push(payload);
      box.waiting.delete(id);
      if (payloads.length >= MAX_PER_PACKET) break;
    }
    box.timer = setTimeout(() => flush(key, destination, box), SLOT_MS);
    send(destination, box.event, payloads);
  }

  return {
    add(destination: string, event: EventName, payload: object): void {
      const key = `${event}|${destination}`;
      let box = boxes.get(key);
      if (!box) {
        box = { event, waiting: new Map(), nextKey: 0, timer: undefined };
        boxes.set(key, box);
      }
      const id = COALESCED.has(event) && 'id' in payload && typeof payload.id === 'number' ? payload.id : box.nextKey++;
      box.waiting.set(id, { ...box.waiting.get(id), ...payload });
      const made = box;
      box.timer ??= setTimeout(() => flush(key, destination, made), SOON_MS);
    },
    /** Hands over at once what waits for a destination. */
    flush(destination: string): void {
      for (const [key, box] of boxes) {
        if (!key.endsWith(`|${destination}`) || box.waiting.size === 0) continue;
        clearTimeout(box.timer);
        flush(key, destination, box);
      }
    },
    stop(): void {
      for (const box of boxes.values()) clearTimeout(box.timer);
      boxes.clear();
    },
  };
}
