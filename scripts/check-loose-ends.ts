import { globSync, readFileSync } from 'node:fs';
import { resources } from '../resources.config.ts';
import { loadContract } from '../schemas/kit/codegen/load.ts';
import { findLooseEnds } from './find-loose-ends.ts';

const code = globSync('server/**/*.ts').filter((path) => !path.endsWith('.test.ts'));
const problems = findLooseEnds({
  forms: Object.values(loadContract().forms),
  resources,
  texts: new Set(globSync('src/locales/en/*.json').flatMap((path) => Object.keys(JSON.parse(readFileSync(path, 'utf8')) as object))),
  server: code.map((path) => readFileSync(path, 'utf8')).join('\n'),
});
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
