import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { ApiClient } from '../../scripts/api-client.ts';
import { startServerProcess, type ServerProcess } from '../helpers/server-process.ts';

const root = new URL('../..', import.meta.url).pathname;

/** What is in DATA_DIR by the table of the documentation, and what that says about back-ups. */
function documentedContents(): Map<string, string> {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const table = page.split('| In `DATA_DIR`')[1]?.split('\n\n')[0] ?? '';
  return new Map([...table.matchAll(/^\| `([^`]+)` +\|[^|]+\| ([^|]+?) +\|$/gm)].map(([, name = '', rule = '']) => [name, rule]));
}

/** Names below DATA_DIR that the server's own code writes down. */
function namesInCode(): Set<string> {
  const files = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const text = files.map((name) => readFileSync(join(root, 'server', name), 'utf8')).join('\n');
  // `join(ctx.config.dataDir, 'uploads')`, `resolve(dataDir, 'forms')`
  return new Set([...text.matchAll(/(?:join|resolve)\((?:[\w.]+\.)?dataDir, '([^']+)'/g)].map(([, name = '']) => name));
}

const PERSON = {
  company_name: 'Harbour',
  email: 'ada@example.org',
  first_name: 'Ada',
  last_name: 'Holm',
  password: 'a long enough phrase',
};
const CONTENT = 'settings of the ferry\n'.repeat(1000);

async function signUp(server: ServerProcess): Promise<ApiClient> {
  const api = new ApiClient(server.url);
  const token = readFileSync(join(server.dataDir, 'set-up-token'), 'utf8').trim();
  await api.call('POST', '/set-up', { token, ...PERSON });
  return api;
}

async function download(url: string, api: ApiClient, id: number): Promise<string> {
  const response = await fetch(`${url}/api/files/${id}/download`, { headers: { cookie: api.cookie() } });
  return `${response.status} ${await response.text()}`;
}

test('the documentation names all that the server keeps in DATA_DIR, and a back-up made and restored by its words has its files [HN8]', async () => {
  const documented = documentedContents();
  expect([...namesInCode()].filter((name) => !documented.has(name))).toEqual([]);
  const backup = mkdtempSync(join(tmpdir(), 'canopy-backup-'));
  await using server = await startServerProcess();
  const { dataDir } = server;
  const atStart = readdirSync(dataDir);
  const owner = await signUp(server);
  const file = await owner.upload<{ id: number }>('/files', { type: 'config', company_id: '1' }, { name: 'ferry.cfg', content: CONTENT });
  const present = readdirSync(dataDir);
  expect([...new Set([...atStart, ...present])].filter((name) => !documented.has(name))).toEqual([]);

  // While it runs: the database first, the folders after it.
  const database = new DatabaseSync(join(dataDir, 'canopy.db'), { readOnly: true });
  database.exec(`vacuum into '${join(backup, 'canopy.db')}'`);
  database.close();
  const keptNames = [...documented].filter(([, rule]) => rule.startsWith('yes')).map(([name]) => name);
  for (const name of [...keptNames, 'secret.key'].filter((one) => present.includes(one)))
    cpSync(join(dataDir, name), join(backup, name), { recursive: true });

  await server.stop();
  for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true });
  cpSync(backup, dataDir, { recursive: true });
  await server.start();
  const api = new ApiClient(server.url);
  await api.call('POST', '/account/login', { email: PERSON.email, password: PERSON.password });
  expect(await download(server.url, api, file.id)).toBe(`200 ${CONTENT}`);
  rmSync(backup, { recursive: true });
});
