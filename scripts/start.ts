import { ConfigError, describeSettings, loadConfig } from '../server/config.ts';
import { buildConsole } from './build-console.ts';

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
  const { runServer } = await import('../server/main.ts');
  await runServer(config);
}

main().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
});
