import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFleet, type Fleet } from '../agent/fleet/fleet.ts';
import { ConfigError, loadConfig } from '../server/config.ts';
import { startServer } from '../server/main.ts';
import { buildConsole } from './build.ts';
import { createDemoData, type DemoAccount } from './demo-data.ts';
import { addPastOfSims } from './demo-past.ts';
import { workWithDevices } from './demo-things.ts';

const DEVICES = Number(process.env['DEMO_DEVICES'] ?? 200);

function printAccounts(accounts: DemoAccount[], url: string, file: string): void {
  const width = Math.max(...accounts.map((account) => account.email.length));
  console.log(`Canopy is ready at ${url}`);
  console.log('\nSign in as one of:\n');
  for (const account of accounts)
    console.log(`  ${account.email.padEnd(width)}  ${account.password}  ${account.role} of ${account.company}`);
  console.log(`\nThe same list: ${file}`);
  console.log(`${DEVICES} simulated devices are joining over the real device protocol. Stop with Ctrl-C.`);
}

async function main(): Promise<void> {
  const dataDir = process.env['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'canopy-demo-'));
  const config = loadConfig({ REPORT_SECONDS: '15', LOG_LEVEL: 'warn', ...process.env, DATA_DIR: dataDir });
  buildConsole();
  const server = await startServer(config);
  const accountsFile = join(dataDir, 'demo-accounts.json');
  const stateFile = join(dataDir, 'demo-fleet.json');
  let fleet: Fleet;
  if (existsSync(accountsFile)) {
    fleet = await startFleet({ url: server.url, codes: [], devices: DEVICES, seed: 'demo', state: stateFile });
    printAccounts(JSON.parse(readFileSync(accountsFile, 'utf8')) as DemoAccount[], server.url, accountsFile);
  } else {
    const token = readFileSync(join(dataDir, 'set-up-token'), 'utf8').trim();
    const { accounts, codes, api, ids, tagIds } = await createDemoData({ url: server.url, token, devices: DEVICES });
    writeFileSync(accountsFile, JSON.stringify(accounts, undefined, 2), { mode: 0o600 });
    printAccounts(accounts, server.url, accountsFile);
    fleet = await startFleet({
      url: server.url,
      codes: codes.map(({ code }) => ({ code, share: 1 })),
      devices: DEVICES,
      seed: 'demo',
      state: stateFile,
    });
    await workWithDevices(api, ids, tagIds);
    await addPastOfSims(server.ctx, api);
  }
  const stop = async (): Promise<void> => {
    await fleet.stop();
    await server.close();
  };
  process.once('SIGINT', () => void stop());
  process.once('SIGTERM', () => void stop());
}

main().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
});
