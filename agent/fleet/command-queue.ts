import { CHANGE_VERBS } from './changes.ts';
import { BEHAVIOURS, type Mood } from './device-behaviours.ts';
import { type Command, isExpired, parseCommand, type Result } from './protocol.ts';
import type { Random } from './random.ts';
import { UPDATE_VERBS } from './updates.ts';

const KEPT_RESULTS = 50;
const WATCH_SECONDS = 2;
const WATCH_CHARACTERS = 4096;
const VERBS = new Set([
  'refresh',
  'settings',
  'collect',
  'probe',
  'reboot',
  'run',
  'watch',
  'io',
  'forget',
  'tunnel',
  'scan',
  ...CHANGE_VERBS,
  ...UPDATE_VERBS,
]);

/** What the queue needs of its device. */
interface Worker {
  readonly mood: Mood;
  readonly random: Random;
  run(body: string): { code: number; output: string; seconds: number };
  report(isAsked?: boolean): void;
  /** False when there is no such output. */
  switchOutput(name: string, state: number): boolean;
  changeSettings(body: string): Result;
  readonly collection: { change(body: string): Result; probe(body: string): Result };
  /** Goes down and comes back; resolves once hello is said again, with the seconds it took. */
  reboot(): Promise<number>;
  forget(): void;
  readonly tunnels: { scan(body: string): Result; open(command: Command, end: (result: Result) => void): void };
  readonly changes: { answer(command: Command): Result };
  /** Does what a verb of updates asks for; never rejects. */
  update(command: Command, progress: (message: string) => void): Promise<Result>;
  /** `stored` runs when the server has it. */
  publishResult(payload: string, stored: () => void): void;
}

/** A device's commands: one after another, each id applied once, final results kept and sent until the server has them. */
export class CommandQueue {
  private readonly worker: Worker;
  private readonly results = new Map<string, string>();
  private readonly unsent = new Set<string>();
  private readonly waiting: Command[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly tunnels = new Set<string>();
  private current: string | undefined;

  constructor(worker: Worker) {
    this.worker = worker;
  }

  receive(payload: Buffer): void {
    const command = parseCommand(payload);
    if (command === undefined) return;
    const { id } = command;
    if (this.results.has(id)) return this.send(id);
    if (id === this.current || this.waiting.some((other) => other.id === id)) return;
    if ('malformed' in command) return this.finish(id, { state: 'failed', code: 1, message: 'malformed command' });
    if (!VERBS.has(command.verb)) return this.finish(id, { state: 'failed', code: 1, message: 'unknown verb' });
    if (isExpired(command)) return this.finish(id, { state: 'failed', code: 1, message: 'expired' });
    if (command.verb === 'settings') return this.finish(id, this.worker.changeSettings(command.body));
    if (command.verb === 'collect') return this.finish(id, this.worker.collection.change(command.body));
    if (command.verb === 'tunnel') return void this.openTunnel(command);
    if (command.verb === 'refresh') return this.answerLater(id, () => this.refresh(id));
    this.waiting.push(command);
    this.startNext();
  }

  /** Sends what the server may not have, after a connection came back. */
  resend(): void {
    for (const id of this.unsent) this.send(id);
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    this.waiting.length = 0;
  }

  private startNext(): void {
    const command = this.current === undefined ? this.waiting.shift() : undefined;
    if (command === undefined) return;
    this.current = command.id;
    const end = (result: Result) => {
      this.current = undefined;
      this.finish(command.id, result);
      if (command.verb !== 'forget') this.startNext();
    };
    if (isExpired(command)) return end({ state: 'failed', code: 1, message: 'expired' });
    if (command.verb === 'forget') {
      end({ state: 'ok', code: 0, message: 'Forgotten' });
      return this.worker.forget();
    }
    this.worker.publishResult(JSON.stringify({ id: command.id, state: 'running' }), () => {});
    const { failure } = BEHAVIOURS[this.worker.mood];
    if (failure?.verbs.includes(command.verb)) {
      const { code, message, output } = failure;
      return this.answerLater(command.id, () => end({ state: 'failed', code, message, output }));
    }
    if (command.verb === 'reboot')
      return void this.worker.reboot().then((seconds) => end({ state: 'ok', code: 0, message: `Online again after ${seconds} s` }));
    if (CHANGE_VERBS.has(command.verb)) return this.answerLater(command.id, () => end(this.worker.changes.answer(command)));
    if (UPDATE_VERBS.has(command.verb)) {
      const progress = (message: string) =>
        this.worker.publishResult(JSON.stringify({ id: command.id, state: 'running', message }), () => {});
      return void this.worker.update(command, progress).then(end);
    }
    if (command.verb === 'probe') return this.answerLater(command.id, () => end(this.worker.collection.probe(command.body)));
    if (command.verb === 'scan') return this.answerLater(command.id, () => end(this.worker.tunnels.scan(command.body)));
    if (command.verb === 'io') return this.answerLater(command.id, () => end(this.switchOutput(command.body)));
    const { code, output, seconds } = this.worker.run(command.body);
    if (command.verb === 'watch') this.showOutput(command.id, output, Math.min(seconds, command.timeoutSeconds));
    if (seconds > command.timeoutSeconds) {
      this.after(command.timeoutSeconds, () => end({ state: 'failed', code: 124, message: 'timed out', output }));
    } else {
      const result: Result = code === 0 ? { state: 'ok', code, output } : { state: 'failed', code, message: `exit code ${code}`, output };
      this.after(seconds, () => this.answerLater(command.id, () => end(result)));
    }
  }

  /** What is printed comes little by little: as many lines as the time that has passed. */
  private showOutput(id: string, output: string, seconds: number): void {
    const lines = output.split('\n');
    for (let passed = WATCH_SECONDS; passed < seconds; passed += WATCH_SECONDS) {
      const shown = lines.slice(0, Math.ceil((lines.length * passed) / seconds)).join('\n');
      const payload = { id, state: 'running', output: shown.slice(-WATCH_CHARACTERS), truncated: shown.length > WATCH_CHARACTERS };
      this.after(passed, () => this.worker.publishResult(JSON.stringify(payload), () => {}));
    }
  }

  private openTunnel(command: Command): void {
    const { id } = command;
    if (this.tunnels.has(id)) return;
    this.tunnels.add(id);
    this.worker.tunnels.open(command, (result) => {
      this.tunnels.delete(id);
      this.finish(id, result);
    });
  }

  private refresh(id: string): void {
    const { failure } = BEHAVIOURS[this.worker.mood];
    if (failure?.verbs.includes('refresh')) return this.finish(id, { state: 'failed', code: failure.code, message: failure.message });
    this.worker.report(true);
    this.finish(id, { state: 'ok', code: 0 });
  }

  private switchOutput(body: string): Result {
    const name = /^pin=([a-z0-9_]+)$/m.exec(body)?.[1] ?? '';
    const state = /^state=([01])$/m.exec(body)?.[1];
    if (state === undefined) return { state: 'failed', code: 1, message: 'The state must be 0 or 1' };
    if (!this.worker.switchOutput(name, Number(state))) return { state: 'failed', code: 1, message: `There is no output ${name}` };
    return { state: 'ok', code: 0, message: `${name} is ${state === '1' ? 'on' : 'off'}` };
  }

  private answerLater(id: string, answer: () => void): void {
    const [from, to] = BEHAVIOURS[this.worker.mood].answerAfter;
    this.after(from + this.worker.random.next() * (to - from), () => {
      if (!this.results.has(id)) answer();
    });
  }

  private after(seconds: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      then();
    }, seconds * 1000);
    this.timers.add(timer);
  }

  private finish(id: string, result: Result): void {
    this.results.set(id, JSON.stringify({ id, ...result, truncated: false }));
    this.unsent.add(id);
    for (const oldest of this.results.keys()) {
      if (this.results.size <= KEPT_RESULTS) break;
      this.results.delete(oldest);
      this.unsent.delete(oldest);
    }
    this.send(id);
  }

  private send(id: string): void {
    const payload = this.results.get(id);
    if (payload !== undefined) this.worker.publishResult(payload, () => this.unsent.delete(id));
  }
}
