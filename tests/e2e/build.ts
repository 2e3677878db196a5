import { buildConsole, buildServer } from '../../scripts/build.ts';

/** Builds what the browser tests run, once and before any of them, because several files at a time would build into the same folder. */
export default function setup(): void {
  buildConsole();
  buildServer();
}
