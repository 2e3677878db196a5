import { buildConsole, buildServer } from '../../scripts/build.ts';

/** Builds what the browser tests run, once and before any of them. */
export default function setup(): void {
  buildConsole();
  buildServer();
}
