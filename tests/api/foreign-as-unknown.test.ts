import { StatementSync } from 'node:sqlite';
import pg from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { as, send } from '../helpers/as.ts';
import { makeTree } from '../helpers/factories.ts';
import { bodyFor } from '../helpers/route-bodies.ts';
import { makeRecords, pathWithId, UNKNOWN_ID } from '../helpers/route-samples.ts';
import { makeWorld } from '../helpers/world.ts';

afterEach(() => void vi.restoreAllMocks());

/** One server announces an event to the others: sent when it is due, whatever request runs just then. */
const ANNOUNCEMENT = 'SELECT pg_notify($1, $2)';

/** Keeps the text of every statement that a database is given by this process for a request, whichever of the two it is. */
function watchStatements(): { taken(): string[] } {
  let texts: string[] = [];
  const query: unknown = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [first] = given;
    texts.push(typeof first === 'object' && first !== null && 'text' in first ? String(first.text) : String(first));
    return Reflect.apply(query as () => unknown, this, given);
  } as never);
  for (const method of ['all', 'run', 'get', 'iterate'] as const) {
    const real = StatementSync.prototype[method];
    vi.spyOn(StatementSync.prototype, method).mockImplementation(function (this: StatementSync, ...given: unknown[]) {
      texts.push(this.sourceSQL);
      return Reflect.apply(real, this, given);
    } as never);
  }
  return {
    taken() {
      const found = texts.filter((text) => text !== ANNOUNCEMENT);
      texts = [];
      return found;
    },
  };
}

describe('the time of an answer [AC2]', () => {
  test('every route asks the database the same for a foreign record as for one that never was [AC2]', async () => {
    await using world = await makeWorld();
    const { sibling, middle } = await makeTree(world);
    const records = await makeRecords(world, middle);
    const caller = await as(world, 'admin', { company: sibling });
    const unknown = Object.fromEntries(Object.keys(records).map((kind) => [kind, UNKNOWN_ID]));
    const watch = watchStatements();
    const infos = world.app.routes.filter((info) => info.path.includes('/:id') && info.access !== 'public');
    expect(infos.length).toBeGreaterThan(50);
    for (const info of infos) {
      const name = `${info.method} ${info.path}`;
      const body = bodyFor(info);
      const statements = async (path: string | undefined): Promise<string[]> => {
        watch.taken();
        await send(world, info.method as 'POST', (path ?? '').slice('/api'.length), {
          headers: caller.headers,
          ...(body === undefined ? {} : { body }),
        });
        return watch.taken();
      };
      // A denied attempt is kept once a minute, whatever record it was for.
      await statements(pathWithId(info, unknown));
      const missing = await statements(pathWithId(info, unknown));
      const foreign = await statements(pathWithId(info, records));
      expect(missing.length, name).toBeGreaterThan(0);
      expect([name, ...foreign]).toEqual([name, ...missing]);
    }
  });
});
