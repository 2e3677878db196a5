// Plain JavaScript: with TypeScript as the first file Node would load its compiler before it looks at its cache of compiled code.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)));
await import('./start.ts');
