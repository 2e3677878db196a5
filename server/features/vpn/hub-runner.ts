import type { VpnZone } from '../../vpn-zones.ts';
import type { Context } from '../../context.ts';
import type { HelperState, VpnHelper } from '../../edges/vpn/types.ts';
import { SECOND } from '../../kernel/clock.ts';
import { hubSpecOf } from './hub-spec.ts';
import { takeState } from './sessions.ts';
import { followHubs, type HubRow } from './store.ts';
import { helperOfZone } from './zone-helper.ts';

/** How often hubs are looked at by themselves; a change is made effective at once. */
const PERIOD_MS = 5 * SECOND;

export interface HubRunner extends AsyncDisposable {
  start(): void;
  /** Brings helpers to what the database says, and the database to what helpers say; resolves when that is done. */
  lookNow(): Promise<void>;
  /** Why hubs of a zone can not run, as its helper says; undefined before it has answered. */
  lacksOf(zone: string): HelperState['lacks'] | 'away' | undefined;
  /** What runs the hubs of a zone; undefined where they are configurations only. */
  helperOf(zone: string): VpnHelper | undefined;
}

interface ZoneRunner {
  zone: VpnZone;
  helper: VpnHelper;
  boot: string;
  lastEvent: number;
  lacks: HelperState['lacks'] | 'away' | undefined;
  running: Promise<void> | undefined;
  isAskedAgain: boolean;
}

/** Runs the hubs of all zones that have a helper. */
export function createHubRunner(ctx: Context): HubRunner {
  const zones = ctx.config.vpnZones.flatMap((zone): ZoneRunner[] => {
    const helper = helperOfZone(ctx, zone);
    return helper ? [{ zone, helper, boot: '', lastEvent: 0, lacks: undefined, running: undefined, isAskedAgain: false }] : [];
  });
  let stop: (() => void) | undefined;

  async function setState(hub: HubRow, run_state: NonNullable<HubRow['run_state']>, run_error: string | null): Promise<void> {
    if (hub.run_state === run_state && hub.run_error === run_error) return;
    await ctx.db.updateTable('vpn_hubs').set({ run_state, run_error }).where('id', '=', hub.id).execute();
  }
  const hubsOf = (zone: string): Promise<HubRow[]> =>
    ctx.db
      .selectFrom('vpn_hubs')
      .innerJoin('companies', 'companies.id', 'vpn_hubs.company_id')
      .selectAll('vpn_hubs')
      .where('vpn_hubs.zone', '=', zone)
      // A hub of a removed company is as one that never was.
      .where('companies.path', '>=', '/')
      .orderBy('vpn_hubs.id')
      .execute();

  async function lookAt(one: ZoneRunner, isAgain = false): Promise<void> {
    const hubs = await hubsOf(one.zone.name);
    let state: HelperState;
    try {
      state = await one.helper.state(one.lastEvent);
    } catch (error) {
      one.lacks = 'away';
      for (const hub of hubs) await setState(hub, 'away', null);
      if (!(error instanceof Error && error.name === 'HelperAway')) throw error;
      return;
    }
    if (state.boot !== one.boot && one.boot !== '' && !isAgain) {
      // The numbers of another run begin again.
      [one.boot, one.lastEvent] = [state.boot, 0];
      return lookAt(one, true);
    }
    one.boot = state.boot;
    one.lacks = state.lacks;
    await takeState(ctx, { ...state, known: new Set(hubs.map(({ id }) => id)) });
    one.lastEvent = state.events.at(-1)?.number ?? one.lastEvent;
    const wanted = new Map(hubs.filter(({ enabled }) => enabled === 1).map((hub) => [hub.id, hub]));
    for (const { id } of state.hubs) if (!wanted.has(id)) await one.helper.remove(id);
    for (const hub of hubs) {
      if (!wanted.has(hub.id)) {
        await setState(hub, 'stopped', null);
        continue;
      }
      const spec = await hubSpecOf(ctx, hub);
      const now = state.hubs.find(({ id }) => id === hub.id);
      const error = now?.revision === one.helper.revisionOf(spec) ? now.error : await one.helper.apply(spec);
      await setState(hub, error === null ? 'running' : 'failed', error);
    }
  }
  /** One look at a zone at a time; a change during one is looked at right after it. No zone waits for another. */
  function lookAtZone(one: ZoneRunner): Promise<void> {
    if (one.running) {
      one.isAskedAgain = true;
      return one.running;
    }
    one.running = (async () => {
      do {
        one.isAskedAgain = false;
        await lookAt(one).catch((error: unknown) =>
          ctx.log.error({ err: error, zone: one.zone.name }, 'VPN hubs could not be looked after'),
        );
      } while (one.isAskedAgain);
    })().finally(() => {
      one.running = undefined;
    });
    return one.running;
  }
  const lookNow = async (): Promise<void> => void (await Promise.all(zones.map(lookAtZone)));
  return {
    start() {
      if (zones.length === 0) return;
      stop = ctx.clock.every(PERIOD_MS, lookNow);
      followHubs(ctx, { lookNow });
      void lookNow();
    },
    lookNow,
    helperOf: (name) => zones.find(({ zone }) => zone.name === name)?.helper,
    lacksOf: (name) => zones.find(({ zone }) => zone.name === name)?.lacks,
    async [Symbol.asyncDispose]() {
      stop?.();
      followHubs(ctx, { lookNow: () => Promise.resolve() });
      for (const { helper } of zones) await helper[Symbol.asyncDispose]();
      await Promise.all(zones.map(({ running }) => running));
      for (const { helper } of zones) await helper[Symbol.asyncDispose]();
    },
  };
}
