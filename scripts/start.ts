import { describeSettings, loadConfig } from '../server/config.ts';
import type { runServer } from '../server/main.ts';
import { buildConsole, buildServer } from './build.ts';

/** What `buildServer` makes of server/main.ts. */
const SERVER = new URL('../dist/server/main.js', import.meta.url).href;

const END_WITHIN_MS = 3000;

const USAGE = `Canopy: a console for fleets of networking devices.

  npm start              build the console if needed, migrate the database, serve
  npm start -- --help    this page
  npm run demo           the same with a throw-away data folder and 200 simulated devices

Settings (environment variables, or the same names in canopy.config.json):

${describeSettings()}
`;

async function main(): Promise<void> {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    console.log(USAGE);
    return;
  }
  const config = loadConfig();
  buildConsole();
  buildServer();
  const built: { runServer: typeof runServer } = await import(SERVER);
  await built.runServer(config);
}

main().catch((error: unknown) => {
  // By its name: the built server brings a class of its own.
  console.error(error instanceof Error && error.name === 'ConfigError' ? error.message : error);
  process.exitCode = 1;
  // Something that was begun may still hold the process, and service managers would take it for running.
  setTimeout(() => process.exit(), END_WITHIN_MS).unref();
});
