import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import type { SpinInput } from '../../../tests/helpers/spinning-helper.ts';
import { until } from '../../../tests/helpers/until.ts';
import { ok, stream } from '../answer.ts';
import { createAdmission } from './admission.ts';
import { createCostly, type Costly } from './create-costly.ts';
import { runInHelper, type Helper } from './helper-process.ts';

const NEVER = new AbortController().signal;
const HELPER: Helper = { entry: new URL('../../../tests/helpers/spinning-helper.ts', import.meta.url), heapMb: 32 };
const folder = mkdtempSync(join(tmpdir(), 'canopy-costly-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`);

let spins = 0;
function spin(work: SpinInput['work'], signal = NEVER) {
  const pidFile = join(folder, String((spins += 1)));
  const input: SpinInput = { work, pidFile };
  const done = runInHelper<SpinInput, { environment: string[] }>(HELPER, input, signal);
  const readPid = (): number | undefined => (existsSync(pidFile) && Number(readFileSync(pidFile, 'utf8'))) || undefined;
  return { done, pid: () => until('the helper works', readPid) };
}

const limits = { atOnce: 2, waitingPerPerson: 1, waiting: 2, waitMs: 60_000 };

test('a person has one work at a time, and the next begins when it is over [HP3]', async () => {
  const admission = createAdmission(limits);
  const leave = await admission.enter(1, NEVER);
  const second = admission.enter(1, NEVER);
  await expect(admission.enter(1, NEVER)).rejects.toMatchObject({ items: [{ code: 'OWN_WORK_RUNNING' }], status: 429 });
  expect(admission.counts()).toEqual({ running: 1, waiting: 1 });
  leave();
  leave();
  (await second)();
  expect(admission.counts()).toEqual({ running: 0, waiting: 0 });
});

test('few persons work at the same time, some wait in their order, and the others are told that the server is busy [HP3]', async () => {
  const admission = createAdmission(limits);
  const [first, second] = [await admission.enter(1, NEVER), await admission.enter(2, NEVER)];
  const begun: number[] = [];
  const waiting = [3, 4].map((person) => admission.enter(person, NEVER).then(() => begun.push(person)));
  await expect(admission.enter(5, NEVER)).rejects.toMatchObject({ items: [{ code: 'OVERLOADED' }], status: 503 });
  first();
  await waiting[0];
  expect(begun).toEqual([3]);
  expect(admission.counts()).toEqual({ running: 2, waiting: 1 });
  second();
  await waiting[1];
  expect(begun).toEqual([3, 4]);
});

test('who leaves while waiting makes room, and a wait that takes too long ends [HP3]', async () => {
  const admission = createAdmission({ ...limits, atOnce: 1, waitMs: 20 });
  await admission.enter(1, NEVER);
  const leaving = new AbortController();
  const waiting = admission.enter(2, leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  expect(admission.counts().waiting).toBe(0);
  await expect(admission.enter(3, NEVER)).rejects.toMatchObject({ items: [{ code: 'OVERLOADED' }] });
});

test('a helper process is killed when its work is no longer wanted, even in a loop without end [HP3]', async () => {
  const leaving = new AbortController();
  const { done, pid } = spin('for-ever', leaving.signal);
  const helper = await pid();
  expect(isRunning(helper)).toBe(true);
  leaving.abort(new Error('gone'));
  await expect(done).rejects.toThrow('gone');
  expect(isRunning(helper)).toBe(false);
});

test('a helper process that takes too much memory ends alone, and its caller reads why [HP3]', async () => {
  await expect(spin('fill-memory').done).rejects.toMatchObject({ items: [{ code: 'WORK_TOO_LARGE' }], status: 422 });
});

test('a refusal of a helper process is a refusal of the server, and no secret of the server is in its environment', async () => {
  await expect(spin('refuse').done).rejects.toMatchObject({ status: 409, items: [{ code: 'NAME_TAKEN', source: 'name' }] });
  process.env['DATABASE_URL_OF_TEST'] = 'secret';
  const { done, pid } = spin('answer');
  const { environment } = await done;
  delete process.env['DATABASE_URL_OF_TEST'];
  expect(environment).toContain('PATH');
  expect(environment).not.toContain('DATABASE_URL_OF_TEST');
  expect(isRunning(await pid())).toBe(false);
});

/** A server whose every call is a costly work. */
async function serve(costly: Costly, work: Parameters<Costly['run']>[2]): Promise<{ server: Server; url: string; failures: unknown[] }> {
  const failures: unknown[] = [];
  const server = createServer((_request, response) => {
    costly.run('file', { personId: 1, response }, work).then(
      (answer) => ('stream' in answer && answer.stream instanceof PassThrough ? answer.stream.pipe(response) : response.end()),
      (error: unknown) => {
        failures.push(error);
        response.end();
      },
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, failures };
}

test('work that takes too long is stopped by its deadline, and its caller reads that [HP3]', async () => {
  const costly = createCostly({ file: { runMs: 20 } });
  const signals: AbortSignal[] = [];
  const { server, url, failures } = await serve(costly, async (signal) => {
    signals.push(signal);
    await until('the deadline', () => signal.aborted);
    return ok();
  });
  await fetch(url);
  expect(failures).toMatchObject([{ status: 503, items: [{ code: 'WORK_STOPPED' }] }]);
  await until('the turn is over', () => costly.counts('file').running === 0);
  server.close();
});

test('work ends with the connection of its caller, while it is done and while its file is sent [HP3]', async () => {
  const costly = createCostly();
  const file = new PassThrough();
  const aborted: boolean[] = [];
  const { server, url } = await serve(costly, async (signal) => {
    if (aborted.length > 0) return stream(file, {});
    await until('the caller leaves', () => signal.aborted);
    aborted.push(true);
    return ok();
  });
  const leave = async (): Promise<void> => {
    const request = get(url).on('error', () => undefined);
    await until('the work runs', () => costly.counts('file').running === 1);
    request.destroy();
    await until('the turn is over', () => costly.counts('file').running === 0);
  };
  await leave();
  expect(aborted).toEqual([true]);
  await leave();
  server.close();
});

test('a file that is sent for too long is cut off [HP3]', async () => {
  const costly = createCostly({ file: { runMs: 20 } });
  const { server, url } = await serve(costly, async () => stream(new PassThrough(), {}));
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  await until('the turn is over', () => costly.counts('file').running === 0);
  server.close();
});

test('a file that its caller does not take gives its turn back to those who wait [HP3]', async () => {
  const costly = createCostly({ file: { idleMs: 50 } });
  const { server, url } = await serve(costly, async () => {
    const file = new PassThrough();
    const fill = (): void => {
      while (file.write(Buffer.alloc(64 * 1024))) continue;
    };
    file.on('drain', fill);
    fill();
    return stream(file, {});
  });
  get(url, (answer) => answer.on('error', () => undefined)).on('error', () => undefined);
  await until('the file is sent', () => costly.counts('file').running === 1);
  await until('its turn is over', () => costly.counts('file').running === 0);
  server.close();
});
