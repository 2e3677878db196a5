import { useCallback, useEffect, useRef, useState } from 'react';
import { live } from '../../kernel/socket/index.ts';
import type { LiveState } from '../../kernel/socket/index.ts';
import { useStore } from '../../kernel/store.ts';
import type { Resource, Row } from '../resources/resource.ts';
import type { ListFilter } from '../resources/registry.ts';
import { applyBatch, loadedPage } from './live-rows.ts';
import type { LiveBatch, LivePage } from './live-rows.ts';
import { rowMatches } from './row-matches.ts';
import { readLiveEvent } from './read-event.ts';
import type { LiveEffect } from './read-event.ts';
import { collect, paintPause } from './throttle.ts';

/** Part of the live channel that the hook uses; tests give their own. */
export interface LiveDoor {
  follow: typeof live.follow;
  state: typeof live.state;
}

export interface UseLiveRows {
  resource: Resource;
  /** The rows as they were loaded; a new array starts again. */
  rows: readonly Row[];
  /** When they were loaded, in unix milliseconds. */
  loadedAt: number;
  filters: readonly ListFilter[];
  /** Fill `{company_id}` and `{user_id}` of the channel's name. */
  companyId: number;
  userId: number;
  enabled: boolean;
  /** New records wait behind a button instead of a reload. */
  holdAdded: boolean;
  /** Rows are on their way. */
  isFetching: boolean;
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

interface WaitingChanges {
  source: readonly Row[];
  page: LivePage;
  changedAt: number | undefined;
  recent: readonly { at: number; rows: readonly Row[] }[];
}

/** The loaded rows with everything that the resource's live channel has said about them since, painted at most four times a second. */
export function useLiveRows(options: UseLiveRows): LiveRows {
  const { resource, rows, loadedAt, filters, companyId, userId, enabled, holdAdded, isFetching, onReload, door = live } = options;
  const [stored, setHeld] = useState<WaitingChanges>(() => ({ source: rows, page: loadedPage(rows), changedAt: undefined, recent: [] }));
  const held = stored.source === rows ? stored : startAnew(stored, rows, loadedAt);
  if (held !== stored) setHeld(held);

  const latest = useRef({ filters, holdAdded, onReload });
  useEffect(() => void (latest.current = { filters, holdAdded, onReload }));
  const { name } = resource;
  const paint = useCallback(
    (effects: LiveEffect[]) => {
      const at = Date.now();
      const { filters: wanted, holdAdded: hold } = latest.current;
      const joined = joinEffects(effects);
      const batch = hold ? joined : { ...joined, added: [] };
      setHeld((before) => {
        const page = applyBatch(before.page, batch, (row) => rowMatches(name, row, wanted));
        const recent = [...before.recent.filter((entry) => at - entry.at < REPLAY_MS), { at, rows: batch.changed }];
        return { ...before, page, recent, changedAt: at };
      });
    },
    [name],
  );

  // Rows that were asked for before the channel was followed may lack what happened in between; those under way are waited for.
  const [follows, setFollows] = useState(0);
  const caughtUp = useRef(0);
  useEffect(() => {
    if (follows === caughtUp.current || isFetching) return;
    caughtUp.current = follows;
    latest.current.onReload();
  }, [follows, isFetching]);

  const events = resource.live?.events;
  const channel = resource.live?.channel.replace('{company_id}', String(companyId)).replace('{user_id}', String(userId));
  useEffect(() => {
    if (!channel || !events || !enabled) return;
    const painter = collect(paint, paintPause);
    const reloads = collect(() => latest.current.onReload(), RELOAD_INTERVAL_MS);
    const stop = door.follow(channel, {
      onEvent(event, payload) {
        const rule = events[event];
        if (!rule) return;
        const effect = readLiveEvent(event, rule, payload);
        if (effect === 'reload' || (effect.added && !latest.current.holdAdded)) reloads.add(effect);
        if (effect !== 'reload') painter.add(effect);
      },
      onFollowed: () => setFollows((count) => count + 1),
    });
    return () => {
      stop();
      painter.stop();
      reloads.stop();
    };
  }, [channel, events, enabled, door, paint]);

  return { page: held.page, state: useStore(door.state), changedAt: held.changedAt };
}

/** A newly loaded page, with what happened while it was on its way. */
function startAnew(before: WaitingChanges, rows: readonly Row[], loadedAt: number): WaitingChanges {
  const recent = before.recent.filter((entry) => loadedAt - entry.at < REPLAY_MS);
  const changed = recent.flatMap((entry) => entry.rows);
  const replayed = applyBatch(loadedPage(rows), { changed, added: [], removed: [] }, () => undefined).rows;
  return { source: rows, page: loadedPage(replayed), changedAt: undefined, recent };
}

function joinEffects(effects: readonly LiveEffect[]): LiveBatch {
  const batches = effects.filter((effect) => effect !== 'reload');
  return {
    changed: batches.flatMap((batch) => batch.changed ?? []),
    added: batches.flatMap((batch) => batch.added ?? []),
    removed: batches.flatMap((batch) => batch.removed ?? []),
  };
}
