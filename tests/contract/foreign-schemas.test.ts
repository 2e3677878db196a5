import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { FormModule } from '../../schemas/kit/form/form-validator.ts';
import { visibleSchema } from '../../schemas/kit/form/visible-schema.ts';
import { createInspector } from '../../server/features/forms/inspector.ts';
import { LATER_KEYWORDS } from '../../schemas/kit/form/readable-schema.ts';
import { readFormContext } from '../../server/features/forms/form-context.ts';

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));
const LEAST = 40;
/** Of one file: a file of hundreds says the same hundreds of times. */
const MOST_DEFINITIONS = 30;
const ID = 'foreign/form';

interface Foreign {
  name: string;
  schema: object;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schemas in a file of somebody else's: the whole, and each of its named definitions, which is a schema of its own. */
function schemasIn(name: string, text: string): Foreign[] {
  const content: unknown = JSON.parse(text);
  if (!isObject(content) || !String(content['$schema']).includes('json-schema.org')) return [];
  const inner = ['definitions', '$defs'].flatMap((key) => {
    const definitions = content[key];
    return isObject(definitions) ? Object.entries(definitions).slice(0, MOST_DEFINITIONS) : [];
  });
  return [{ name, schema: content }, ...inner.flatMap(([key, schema]) => (isObject(schema) ? [{ name: `${name}#${key}`, schema }] : []))];
}

function findSchemas(): Foreign[] {
  const files = readdirSync(packages, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.json') && !path.endsWith('package.json') && !path.startsWith('.'),
  );
  const seen = new Set<string>();
  return files.flatMap((path) => {
    const text = readFileSync(join(packages, path), 'utf8');
    if (!text.includes('json-schema.org')) return [];
    // Packages bring the same file several times.
    return schemasIn(path, text).filter(({ schema }) => seen.size !== seen.add(JSON.stringify(schema)).size);
  });
}

function asForm(schema: object): string {
  const form = {
    $schema: '/schemas/form-v1.json',
    id: ID,
    title: { en: 'Foreign' },
    surface: 'page',
    permission: 'manage_forms',
    schema,
    submit: { webhook: { to: 'elsewhere' }, success: { then: 'stay' } },
    examples: [{}],
  };
  return JSON.stringify(form, null, 2);
}

/** The keywords of a schema's own draft that cannot be drawn; those of nobody's draft mean nothing. */
function refusedKeywords(schema: object): string[] {
  const isLater = '$schema' in schema && String(schema.$schema).includes('/draft/20');
  return isLater ? Object.keys(schema).filter((keyword) => LATER_KEYWORDS.has(keyword)) : [];
}
const schemas = findSchemas();
const broken: unknown[] = [];
const inspector = createInspector(
  () => readFormContext(),
  (error) => broken.push(error),
);
afterAll(() => inspector[Symbol.asyncDispose]());

test('npm packages bring enough schemas to try', () => {
  expect(schemas.length).toBeGreaterThanOrEqual(LEAST);
});

test.each(schemas)('$name is drawn, or refused with what is not supported and where', { timeout: 60_000 }, async ({ schema }) => {
  const text = asForm(schema);
  const lines = text.split('\n');
  const inspection = await inspector.inspect(ID, text);
  expect(broken).toEqual([]);
  if (inspection.isUsable) {
    const module: FormModule = await import(`data:text/javascript,${encodeURIComponent(inspection.code)}`);
    // A schema without members of its own takes any value, which is one field.
    const memberCount = Object.keys(module.form.schema.properties ?? {}).length;
    const shownCount = Object.keys(visibleSchema(module.form, {}, () => true).schema.properties ?? {}).length;
    expect(shownCount > 0 || memberCount === 0).toBe(true);
    return;
  }
  const { findings } = inspection;
  expect(findings.length).toBeGreaterThan(0);
  expect(findings.map(({ code }) => code)).not.toContain('too-slow');
  for (const { line, message } of findings) expect([lines[line - 1], message]).toEqual([expect.any(String), expect.stringMatching(/./)]);
  // What is beyond a limit is not read any further.
  if (findings.some(({ code }) => code === 'too-large' || code === 'too-deep')) return;
  for (const keyword of refusedKeywords(schema))
    expect(
      findings.filter(({ line, message }) => message.includes(`"${keyword}"`) && lines[line - 1]?.includes(`"${keyword}"`)),
    ).not.toEqual([]);
});
