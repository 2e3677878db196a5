import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import type { UserConfig } from '@hey-api/openapi-ts';

// Run as a program: writes a client in TypeScript for the API description in a file into a folder.
const [, , descriptionFile = '', folder = ''] = process.argv;
registerHooks({
  resolve: (name, context, next) =>
    name === 'typescript' ? { url: new URL('typescript-api.ts', import.meta.url).href, shortCircuit: true } : next(name, context),
});
const { createClient } = await import('@hey-api/openapi-ts');
const config: UserConfig = {
  input: JSON.parse(readFileSync(descriptionFile, 'utf8')),
  output: folder,
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  logs: { level: 'error' },
};
await createClient(config);
