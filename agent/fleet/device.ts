import { CommandQueue } from './command-queue.ts';
import { Configuration } from './configuration.ts';
import type { Credentials } from './enrol.ts';
import { Changes } from './changes.ts';
import { Collection } from './collection.ts';
import { identityOf, type Identity } from './models.ts';
import { BEHAVIOURS, type Mood, type UpdateMood } from './device-behaviours.ts';
import { MqttConnection } from './mqtt-connection.ts';
import { Parts } from './parts.ts';
import { detailsOf, Periods } from './periods.ts';
import type { Command, Result } from './protocol.ts';
import type { Random } from './random.ts';
import { runSimulated } from './shell.ts';
import { Tunnels } from './tunnels.ts';
import * as limits from './times.ts';
import type { DeviceSeed, FleetContext } from './fleet-context.ts';
import type { FileAddress } from './transfer.ts';
import { Updates } from './updates.ts';
import { Vitals } from './vitals.ts';

export const FLEET_AGENT = 'canopy-fleet/1';

/** One simulated device: an identity, a mood, values that move, a connection that comes and goes. */
export class SimulatedDevice {
  readonly identity: Identity;
  readonly random: Random;
  readonly code: string | undefined;
  /** Resolves after the first hello, or after the first connection that failed. */
  readonly settled: Promise<void>;
  credentials: Credentials | undefined;
  private currentMood: Mood;
  private readonly fleet: FleetContext;
  private readonly vitals: Vitals;
  private readonly parts: Parts;
  readonly configuration: Configuration;
  readonly changes: Changes;
  readonly tunnels: Tunnels;
  updateMood: UpdateMood;
  private readonly updates: Updates;
  readonly collection: Collection;
  private readonly queue: CommandQueue;
  private connection: MqttConnection | undefined;
  private reportTimer: NodeJS.Timeout | undefined;
  private lifeTimer: NodeJS.Timeout | undefined;
  private isWanted = false;
  private attempts = 0;
  private measuredAt = 0;
  private detailedAt = 0;
  private readonly periods = new Periods();
  private settle: () => void = () => {};
  private onHello: (() => void) | undefined;

  constructor({ identity, random, mood, updateMood = 'good', code, fleet, hasJoined = false }: DeviceSeed) {
    this.identity = identity;
    this.random = random;
    this.currentMood = mood;
    this.code = code;
    this.fleet = fleet;
    this.vitals = new Vitals(identity, random, { weak: mood === 'old-firmware', isBooting: hasJoined });
    this.parts = new Parts(identity, this.vitals);
    this.configuration = new Configuration(identity, this.vitals.lanIp);
    this.changes = new Changes(this, this.parts.hotspot);
    this.tunnels = new Tunnels(identity, this.vitals.lanIp, () => this.credentials?.key ?? '');
    this.updateMood = updateMood;
    this.updates = new Updates(this);
    const publish = (answer: string): void => this.connection?.publish('up/collected', answer);
    this.collection = new Collection({ identity, vitals: this.vitals, details: () => this.parts.report(), publish });
    this.queue = new CommandQueue(this);
    this.settled = new Promise((resolve) => {
      this.settle = resolve;
    });
  }

  get mood(): Mood {
    return this.currentMood;
  }
  get isOnline(): boolean {
    return this.connection?.isReady ?? false;
  }
  get signal(): number | undefined {
    return this.identity.model.modem === undefined ? undefined : this.vitals.signal;
  }
  setMood(mood: Mood): void {
    this.currentMood = mood;
    if (this.isOnline) this.planDrop();
  }

  /** Breaks the connection off, as a power cut would; the server hears the last will. */
  goOffline(): void {
    this.isWanted = false;
    this.clearTimers();
    this.tunnels.stop();
    this.connection?.drop();
  }

  /** Connects, and stays as long as the mood lets it. */
  comeBack(): void {
    if (this.isWanted || this.credentials === undefined) return;
    this.isWanted = true;
    this.attempts = 0;
    this.admitted();
  }

  /** Says goodbye and does nothing more. */
  stop(): void {
    this.isWanted = false;
    this.clearTimers();
    this.queue.stop();
    this.tunnels.stop();
    this.updates.stop();
    this.connection?.close();
    this.settle();
  }

  pingIfQuiet(): void {
    if (this.connection !== undefined && Date.now() - this.connection.lastSentAt > limits.PING_AFTER_SECONDS * 1000) this.connection.ping();
  }

  run(body: string): ReturnType<typeof runSimulated> {
    return runSimulated({ identity: this.identity, vitals: this.vitals, settings: this.configuration.settings }, body);
  }

  /** `isAsked`: by a command, or at the start of a connection; else the details come when it is time. */
  report(isAsked = false): void {
    const isReport = this.periods.takesReport(this.periodSeconds, Date.now()) || isAsked;
    if (isReport) this.connection?.publish('up/status', JSON.stringify(this.vitals.report()));
    const isDue = !this.configuration.isSaid || Date.now() - this.detailedAt >= limits.DETAILS_PERIOD_MS;
    this.detail({ others: isReport && (isAsked || isDue), isAsked, isMoving: isReport && this.parts.isUnderWay });
    this.collection.send();
    if (!isReport || Date.now() - this.measuredAt < this.fleet.measureMs) return;
    this.measuredAt = Date.now();
    this.connection?.publish('up/telemetry', JSON.stringify(this.vitals.measure()));
  }

  /** Says these values as `up/telemetry` now. */
  say(values: Readonly<Record<string, number>>): void {
    this.connection?.publish('up/telemetry', JSON.stringify({ at: Math.floor(Date.now() / 1000), values }));
  }

  switchOutput(name: string, state: number): boolean {
    const isDone = this.parts.switch(name, state);
    if (isDone) this.detail();
    return isDone;
  }

  /** Says what it has: everything, or the parts whose time has come. */
  detail(when: { others: boolean; isAsked: boolean; isMoving?: boolean } = { others: true, isAsked: true }): void {
    const due = this.periods.due(Date.now(), when);
    if (due.length === 0) return;
    if (when.others) this.detailedAt = Date.now();
    const settings = due.includes('static') ? this.configuration.say() : undefined;
    this.connection?.publish('up/details', JSON.stringify(detailsOf({ ...this.parts.report(), settings }, due)));
  }

  /** Takes settings of the agent's own, and says hello with them. */
  changeSettings(body: string): Result {
    if (!this.periods.take(body)) return { state: 'failed', code: 1, message: 'malformed command' };
    this.sayWho();
    this.planReport();
    return { state: 'ok', code: 0, message: `Reports every ${this.periodSeconds} s` };
  }

  publishResult(payload: string, stored: () => void): void {
    this.connection?.publish('up/result', payload, stored);
  }

  update(command: Command, progress: (message: string) => void): Promise<Result> {
    return this.updates.answer(command, progress);
  }

  addressOf(commandId: string): FileAddress {
    const { key = '', password = '' } = this.credentials ?? {};
    return { url: this.fleet.url, commandId, key, password };
  }

  log(level: 'info' | 'warning', message: string): void {
    this.connection?.publish('up/log', JSON.stringify({ level, message }));
  }

  losePower(): Promise<void> {
    this.goOffline();
    return this.sayHelloAfter(this.spanSeconds(this.fleet.rebootSeconds));
  }

  reconnect(): Promise<void> {
    this.sayGoodbye();
    this.connection?.close();
    return this.sayHelloAfter(limits.RECONNECT_SECONDS);
  }

  private sayHelloAfter(seconds: number, begin?: () => void): Promise<void> {
    return new Promise((resolve) => {
      this.onHello = resolve;
      this.lifeTimer = setTimeout(() => (begin?.(), this.comeBack()), seconds * 1000);
    });
  }

  private sayGoodbye(): void {
    this.connection?.publish('up/status', '{"online":false}');
    this.isWanted = false;
    this.clearTimers();
  }

  async reboot(times = 1): Promise<number> {
    const downAt = Date.now();
    this.sayGoodbye();
    await new Promise((resolve) => (this.lifeTimer = setTimeout(resolve, limits.GOODBYE_SECONDS * 1000)));
    this.connection?.close();
    if (!Number.isFinite(times)) await new Promise(() => {});
    await this.sayHelloAfter(this.spanSeconds(this.fleet.rebootSeconds) * times, () => this.vitals.boot(0));
    return Math.round((Date.now() - downAt) / 1000);
  }

  forget(): void {
    this.isWanted = false;
    this.clearTimers();
    // The answer is on its way; the socket closes behind it.
    this.connection?.close();
    this.credentials = undefined;
    this.fleet.onForgotten(this.identity);
  }

  private admitted(): void {
    this.fleet.admit(() => {
      if (!this.isWanted || this.credentials === undefined || this.connection !== undefined) return;
      const { key, password, address } = this.credentials;
      this.connection = new MqttConnection({
        address,
        key,
        password,
        keepaliveSeconds: limits.KEEPALIVE_SECONDS,
        onReady: () => this.sayHello(),
        onCommand: (payload) => this.queue.receive(payload),
        onClosed: (refused) => this.closed(refused),
      });
    });
  }

  private sayWho(): void {
    const periods = { report_seconds: this.periodSeconds, periods: this.periods.said };
    const hello = { ...identityOf(this.identity), agent: FLEET_AGENT, boot_id: this.vitals.bootId, ...periods };
    this.connection?.publish('up/hello', JSON.stringify(hello), () => {
      this.settle();
      this.onHello?.();
      this.onHello = undefined;
    });
  }

  private sayHello(): void {
    this.attempts = 0;
    this.sayWho();
    this.report(true);
    this.queue.resend();
    this.planDrop();
    // The first report comes at a random moment, so that a fleet does not report in step.
    this.planReport(this.random.next());
  }

  private get periodSeconds(): number {
    return this.periods.report ?? this.fleet.periodSeconds ?? this.credentials?.reportSeconds ?? limits.KEEPALIVE_SECONDS;
  }

  private planReport(share = 1): void {
    clearTimeout(this.reportTimer);
    this.reportTimer = setTimeout(() => (this.report(), this.planReport()), share * this.periods.tick(this.periodSeconds) * 1000);
  }

  private planDrop(): void {
    clearTimeout(this.lifeTimer);
    const { staysFor, awayFor } = BEHAVIOURS[this.currentMood];
    if (staysFor === undefined) return;
    this.lifeTimer = setTimeout(
      () => {
        this.goOffline();
        if (awayFor !== undefined) this.lifeTimer = setTimeout(() => this.comeBack(), this.spanSeconds(awayFor) * 1000);
      },
      this.spanSeconds(staysFor) * 1000,
    );
  }

  private spanSeconds([low, high]: readonly [number, number]): number {
    return low + this.random.next() * (high - low);
  }

  private closed(refused: boolean): void {
    this.connection = undefined;
    clearTimeout(this.reportTimer);
    this.settle();
    if (!this.isWanted) return;
    clearTimeout(this.lifeTimer);
    const pause = refused ? limits.REFUSED_PAUSE_SECONDS : Math.min(limits.MAX_PAUSE_SECONDS, 2 ** this.attempts);
    this.attempts += 1;
    this.lifeTimer = setTimeout(() => this.admitted(), pause * (1 + this.random.next()) * 1000);
  }

  private clearTimers(): void {
    clearTimeout(this.reportTimer);
    clearTimeout(this.lifeTimer);
  }
}
