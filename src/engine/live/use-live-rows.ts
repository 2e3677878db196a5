import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { live } from '../../kernel/socket/index.ts';
import type { LiveState } from '../../kernel/socket/index.ts';
import { useStore } from '../../kernel/store.ts';
import type { Resource, Row } from '../resources/resource.ts';
import type { ListFilter } from '../table/list-state.ts';
import { applyBatch, loadedPage } from './live-rows.ts';
import type { LiveBatch, LivePage } from './live-rows.ts';
import { rowMatches } from './row-matches.ts';
import { readLiveEvent } from './read-event.ts';
import type { LiveEffect } from './read-event.ts';
import { collect, PAINT_INTERVAL_MS } from './throttle.ts';

/** Part of the live channel that the hook uses; tests give their own. */
export interface LiveDoor {
  follow: typeof live.follow;
  state: typeof live.state;
}

export interface UseLiveRows {
  resource: Resource;
  /** The rows as they were loaded; a new array starts anew. */
  rows: readonly Row[];
  filters: readonly ListFilter[];
  /** Fills `{company_id}` of the channel's name. */
  companyId: number;
  enabled: boolean;
  /** New records wait behind a button instead of a reload. */
  holdAdded: boolean;
  /** Asks for the rows again without disturbing anything; at most once in `RELOAD_INTERVAL_MS`. */
  onReload: () => void;
  door?: LiveDoor;
}

export interface LiveRows {
  page: LivePage;
  state: LiveState;
  /** Unix milliseconds of the last event that said something about a row. */
  changedAt: number | undefined;
}

const RELOAD_INTERVAL_MS = 2000;
// Longer than any load takes: an answer that left the server before the event must not undo what the event said.
const REPLAY_MS = 10_000;

/** The loaded rows with everything that the resource's live channel has said about them since, painted at most four times a second. */
export function useLiveRows(options: UseLiveRows): LiveRows {
  const { resource, rows, filters, companyId, enabled, holdAdded, onReload, door = live } = options;
  const [held, setHeld] = useState<{ source: readonly Row[]; page: LivePage; changedAt: number | undefined } | undefined>(undefined);
  const recent = useRef<{ at: number; rows: readonly Row[] }[]>([]);
  const fresh = useMemo(() => loadedPage(replay(rows, recent.current)), [rows]);
  const page = held?.source === rows ? held.page : fresh;
  const latest = useRef({ rows, fresh, filters, holdAdded, onReload });
  useEffect(() => void (latest.current = { rows, fresh, filters, holdAdded, onReload }));

  const { name } = resource;
  const paint = useCallback(
    (effects: LiveEffect[]) => {
      const now = Date.now();
      const { rows: source, fresh: loaded, filters: wanted, holdAdded: hold } = latest.current;
      const batch = joinEffects(effects);
      recent.current = [...recent.current.filter((entry) => now - entry.at < REPLAY_MS), { at: now, rows: batch.changed }];
      setHeld((before) => {
        const present = before?.source === source ? before.page : loaded;
        const next = applyBatch(present, hold ? batch : { ...batch, added: [] }, (row) => rowMatches(name, row, wanted));
        return next === present && before?.source === source ? before : { source, page: next, changedAt: now };
      });
    },
    [name],
  );

  const events = resource.live?.events;
  const channel = resource.live?.channel.replace('{company_id}', String(companyId));
  useEffect(() => {
    if (!channel || !events || !enabled) return;
    const painter = collect(paint, PAINT_INTERVAL_MS);
    const reloads = collect(() => latest.current.onReload(), RELOAD_INTERVAL_MS);
    const stop = door.follow(channel, {
      onEvent(event, payload) {
        const rule = events[event];
        if (!rule) return;
        const effect = readLiveEvent(event, rule, payload);
        if (effect === 'reload' || (effect.added && !latest.current.holdAdded)) reloads.add(effect);
        if (effect !== 'reload') painter.add(effect);
      },
      onResume: () => reloads.add('reload'),
    });
    return () => {
      stop();
      painter.stop();
      reloads.stop();
    };
  }, [channel, events, enabled, door, paint]);

  return { page, state: useStore(door.state), changedAt: held?.source === rows ? held.changedAt : undefined };
}

function joinEffects(effects: readonly LiveEffect[]): LiveBatch {
  const batches = effects.filter((effect) => effect !== 'reload');
  return {
    changed: batches.flatMap((batch) => batch.changed ?? []),
    added: batches.flatMap((batch) => batch.added ?? []),
    removed: batches.flatMap((batch) => batch.removed ?? []),
  };
}

function replay(rows: readonly Row[], recent: readonly { at: number; rows: readonly Row[] }[]): readonly Row[] {
  const now = Date.now();
  const changed = recent.filter((entry) => now - entry.at < REPLAY_MS).flatMap((entry) => entry.rows);
  return changed.length === 0 ? rows : applyBatch(loadedPage(rows), { changed, added: [], removed: [] }, () => undefined).rows;
}
