import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getLanguageService, TextDocument } from 'vscode-json-languageservice';
import { completeForm, type WrittenForm } from '../../schemas/kit/form/complete-form.ts';
import { describeForm } from '../../schemas/kit/form/describe-form.ts';
import { newForm, NEW_FORM_KINDS } from '../../schemas/kit/form/new-form.ts';
import { findFormFiles, formIdOf, readContractFile, schemasFolder } from '../../schemas/kit/codegen/load.ts';
import type { WidgetName } from '../../schemas/kit/form/types.ts';
import { proveGolden, readGolden } from '../../scripts/forms/golden-cases.ts';
import { proveForm } from '../../scripts/forms/prove-form.ts';
import { inspectForm } from '../../server/features/forms/inspect.ts';
import { readFormContext } from '../../server/features/forms/form-context.ts';
import { readTexts } from './texts.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'examples', 'forms');
const files = findFormFiles(folder).map((path) => ({ id: formIdOf(path, folder), path, text: readFileSync(path, 'utf8') }));
const around = readFormContext();

describe.each(files)('the example $id [G7]', ({ id, path, text }) => {
  test('is right, console and server judge it alike, and its golden cases come out', async () => {
    const inspection = inspectForm(id, text, around);
    expect(inspection.findings).toEqual([]);
    if (!inspection.isUsable) throw new Error('not usable');
    const { form, code } = inspection;
    const proofs = [...(await proveForm(form, code)), ...proveGolden(form, readGolden(path))];
    expect(proofs.flatMap(({ faults }) => faults)).toEqual([]);
  });
});

test('the examples show every field kind, and all three ways to send a form [G7]', () => {
  const forms = files.map(({ text }) => completeForm(JSON.parse(text) as WrittenForm));
  const shown = new Set(forms.flatMap((form) => Object.values(form.ui ?? {}).flatMap((ui) => ui['ui:widget'] ?? [])));
  const meta = readContractFile<{ properties: { ui: { additionalProperties: { properties: { 'ui:widget': { enum: WidgetName[] } } } } } }>(
    join(schemasFolder, 'meta', 'form.meta.json'),
  );
  const kinds = meta.properties.ui.additionalProperties.properties['ui:widget'].enum;
  // A text is what a field without a widget is; permissions of a role, rules of automations and values of task lists have their own forms, which ship.
  expect(kinds.filter((kind) => !shown.has(kind))).toEqual(['text', 'permission-matrix', 'rule', 'task-values']);
  const ways = forms.map(({ submit }) => (submit.job ? 'job' : submit.webhook ? 'webhook' : 'call'));
  expect(new Set(ways)).toEqual(new Set(['job', 'webhook', 'call']));
  expect(forms.length).toBeGreaterThanOrEqual(12);
});

test.each(NEW_FORM_KINDS)('a form to start from (%s) is right, and does what was chosen [G7]', async (kind) => {
  const inspection = inspectForm('ops/set-apn', newForm('ops/set-apn', kind), around);
  expect(inspection.findings).toEqual([]);
  if (!inspection.isUsable) throw new Error('not usable');
  const { form, code } = inspection;
  expect((await proveForm(form, code)).flatMap(({ faults }) => faults)).toEqual([]);
  expect(form.submit.job ? 'job' : form.submit.webhook ? 'webhook' : 'api').toBe(kind);
});

test('every rule in the documentation has a text [G6]', () => {
  const texts = readTexts('en');
  const rules = files.flatMap(({ text }) =>
    describeForm(completeForm(JSON.parse(text) as WrittenForm)).fields.flatMap((field) => field.rules),
  );
  expect(rules.filter(({ key }) => !(key in texts))).toEqual([]);
  expect(new Set(rules.map(({ key }) => key)).size).toBeGreaterThan(8);
});

test('the documentation leaves out bounds that every number has [G6]', () => {
  const bounds = {
    count: { type: 'integer', minimum: 1, maximum: 500 },
    device_id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  };
  const written = JSON.parse(files[0]?.text ?? '{}') as WrittenForm;
  const { fields } = describeForm(completeForm({ ...written, schema: { ...written.schema, properties: bounds } } as WrittenForm));
  const seen = Object.fromEntries(fields.map(({ name, rules }) => [name, rules.map(({ key }) => key.replace('form_docs.rules.', ''))]));
  expect(seen).toEqual({ count: ['minimum', 'maximum'], device_id: ['minimum'] });
});

describe('an editor that knows the meta-schema [G2]', () => {
  const text = readFileSync(join(folder, 'ops', 'set-apn.form.json'), 'utf8');
  const schema = readFileSync(join(schemasFolder, 'meta', 'form.meta.json'), 'utf8');
  const service = getLanguageService({ schemaRequestService: async () => schema });
  service.configure({ schemas: [{ uri: 'https://canopy.example/schemas/form-v1.json', fileMatch: ['*.form.json'] }] });
  const open = (content: string) => {
    const document = TextDocument.create('file:///ops/set-apn.form.json', 'json', 1, content);
    return { document, json: service.parseJSONDocument(document) };
  };
  /** The place of the cursor, written as `|`. */
  async function completeAt(content: string): Promise<string[]> {
    const offset = content.indexOf('|');
    const { document, json } = open(content.replace('|', ''));
    const list = await service.doComplete(document, document.positionAt(offset), json);
    return (list?.items ?? []).map(({ label }) => label);
  }

  test('finds nothing wrong in a right form, and the place of what is wrong', async () => {
    const right = open(text);
    expect(await service.doValidation(right.document, right.json)).toEqual([]);
    const wrong = open(text.replace('"surface"', '"surfac"'));
    const found = await service.doValidation(wrong.document, wrong.json);
    expect(found.map(({ message }) => message).join(' ')).toContain('surfac');
  });

  test('completes keys and the values that are allowed', async () => {
    expect(await completeAt('{ "id": "ops/x", | }')).toEqual(expect.arrayContaining(['title', 'surface', 'permission', 'submit', 'place']));
    expect(await completeAt('{ "ui": { "apn": { "ui:widget": "|" } } }')).toEqual(
      expect.arrayContaining(['"device-select"', '"list-input"', '"time-range"']),
    );
  });

  test('completes controls and their settings in a uiSchema, however deep', async () => {
    expect(await completeAt('{ "uiSchema": { "site": { "items": { "gateway": { "ui:widget": "|" } } } } }')).toEqual(
      expect.arrayContaining(['"lookup"', '"device-select"', '"updown"', '"RatingWidget"']),
    );
    expect(await completeAt('{ "uiSchema": { "site": { "ui:options": { | } } } }')).toEqual(
      expect.arrayContaining(['lookup', 'supports', 'addKeys', 'mask', 'orderable']),
    );
  });

  test('explains a key on hover', async () => {
    const { document, json } = open(text);
    const hover = await service.doHover(document, document.positionAt(text.indexOf('"steps"') + 2), json);
    expect(JSON.stringify(hover?.contents)).toContain('run one after the other');
  });
});

/** Several processes, one after the other. */
const COMMAND_TIMEOUT_MS = 180_000;

describe('the command for form files [G3]', { timeout: COMMAND_TIMEOUT_MS }, () => {
  const cli = join(root, 'scripts', 'forms.ts');
  let work = '';
  beforeAll(() => {
    work = mkdtempSync(join(tmpdir(), 'canopy-forms-cli-'));
  });
  afterAll(() => rmSync(work, { recursive: true, force: true }));

  test('makes a form that its own test is content with', () => {
    const file = join(work, 'ops', 'say-hello.form.json');
    execFileSync(process.execPath, [cli, 'new', file]);
    expect(readdirSync(join(work, 'ops'))).toEqual(['say-hello.form.json']);
    expect(execFileSync(process.execPath, [cli, 'test', file], { encoding: 'utf8' })).toContain('✓');
    expect(spawnSync(process.execPath, [cli, 'new', file]).status).toBe(1);
  });

  test('runs the golden cases beside a form, and says what came out in place of what is written there [G7]', () => {
    const file = join(work, 'golden', 'ping.form.json');
    mkdirSync(join(work, 'golden'));
    writeFileSync(file, readFileSync(join(folder, 'ops', 'ping.form.json'), 'utf8').replace('ops/ping', 'golden/ping'));
    const data = { host: 'gateway.example.com', count: 2 };
    const cases = [
      { name: 'goes through', data },
      { name: 'is refused', data, refused: ['host'] },
      { name: 'is another command', data, command: 'ping' },
    ];
    writeFileSync(join(work, 'golden', 'ping.golden.json'), JSON.stringify(cases));
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'test', file], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stdout).toMatch(/✓ .*golden: goes through/);
    expect(stdout).toMatch(/✗ .*golden: is refused/);
    expect(stderr).toContain('refused: nothing; expected: host');
    expect(stderr).toContain("the command is 'ping' '-c' '2' '--' 'gateway.example.com'; expected: ping");
  });

  test('explains a form in words [G7]', () => {
    const { stdout } = spawnSync(process.execPath, [cli, 'explain', join(folder, 'ops', 'ping.form.json')], { encoding: 'utf8' });
    expect(stdout.split('\n').slice(0, 9)).toEqual([
      'ops/ping, version 1: Ping from the device',
      'Exit code 1 means that no answer came, which is an answer too.',
      'For holders of execute_device_actions.',
      'Fields:',
      '  host (string), "Host": Required; 253 characters or fewer; Format: hostname',
      '  count (integer), "Packets": Required; 1 or more; 20 or less; Default 4',
      'Runs on each chosen device:',
      '  ping -c {count} -- {host}',
      'It sends, for example:',
    ]);
  });

  test('prints the types of what forms take [G7]', () => {
    const types = execFileSync(process.execPath, [cli, 'types', join(folder, 'ops')], { encoding: 'utf8' });
    expect(types).toContain("  'ops/ping': {\n    host: string;\n    count: number;\n  };");
    expect(types).toContain("'ops/set-apn': {");
  });

  test('makes a form file of a JSON schema and says where in the schema it cannot be used; one that is there already stays [CD11]', () => {
    const file = (name: string): string => join(work, 'ops', name);
    const schema = { type: 'object', required: ['siteName'], properties: { siteName: { type: 'string', minLength: 3 } } };
    writeFileSync(file('Site Survey.json'), JSON.stringify(schema));
    writeFileSync(file('ui.json'), JSON.stringify({ siteName: { 'ui:help': 'As on the map' } }));
    writeFileSync(file('data.json'), JSON.stringify({ siteName: 'Bergen' }));
    const args = [cli, 'import', file('Site Survey.json'), file('ui.json'), '--data', file('data.json')];
    const made = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect([made.status, made.stdout]).toEqual([0, expect.stringContaining('1 form file is right.')]);
    expect(readContractFile(file('site-survey.form.json'))).toMatchObject({
      id: 'ops/site-survey',
      title: { en: 'Site survey' },
      schema,
      uiSchema: { siteName: { 'ui:help': 'As on the map' } },
      examples: [{ siteName: 'Bergen' }],
    });
    expect(spawnSync(process.execPath, args, { encoding: 'utf8' })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is there already'),
    });

    writeFileSync(
      file('strange.json'),
      JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, unevaluatedProperties: false }, null, 1),
    );
    const strange = spawnSync(process.execPath, [cli, 'import', file('strange.json')], { encoding: 'utf8' });
    expect([strange.status, strange.stderr]).toEqual([
      1,
      expect.stringMatching(/strange\.json:\d+:2 unknown-key The key "unevaluatedProperties"/),
    ]);
    expect(readContractFile(file('strange.form.json'))).toMatchObject({ examples: [{ siteName: 'xxx' }] });
  });

  test('says what is wrong with file, line and column, for people and as JSON', () => {
    const file = join(work, 'ops', 'wrong.form.json');
    const text = readFileSync(join(folder, 'ops', 'ping.form.json'), 'utf8')
      .replace('ops/ping', 'ops/wrong')
      .replace('"{host}"', '"{hots}"');
    writeFileSync(file, text);
    const { status, stderr } = spawnSync(process.execPath, [cli, 'lint', file], { encoding: 'utf8' });
    const line = text.split('\n').findIndex((words) => words.includes('{hots}')) + 1;
    expect(status).toBe(1);
    expect(stderr).toMatch(new RegExp(`ops/wrong\\.form\\.json:${line}:\\d+ unknown-`));
    const { stdout } = spawnSync(process.execPath, [cli, 'lint', file, '--json'], { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toMatchObject([{ path: file, line }]);
  });

  test('says it as SARIF 2.1.0 for code hosts, also where nothing is wrong [G3]', () => {
    const file = join(work, 'ops', 'sarif.form.json');
    writeFileSync(file, readFileSync(join(folder, 'ops', 'ping.form.json'), 'utf8').replace('ops/ping', 'ops/other'));
    const { status, stdout } = spawnSync(process.execPath, [cli, 'lint', file, '--sarif'], { encoding: 'utf8' });
    const log = JSON.parse(stdout);
    expect([status, log.version]).toEqual([1, '2.1.0']);
    const [{ tool, results }] = log.runs;
    expect(results).toMatchObject([
      {
        ruleId: 'wrong-id',
        level: 'error',
        locations: [{ physicalLocation: { artifactLocation: { uri: pathToFileURL(file).href }, region: { startLine: 3 } } }],
      },
    ]);
    expect(tool.driver.rules[results[0].ruleIndex]).toEqual({ id: 'wrong-id' });
    const contract = spawnSync(process.execPath, [join(root, 'schemas', 'kit', 'lint', 'lint-cli.ts'), '--sarif'], { encoding: 'utf8' });
    expect([contract.status, JSON.parse(contract.stdout).runs[0].results]).toEqual([0, []]);
  });

  test('its test says how good the form is and what the next level asks for [G9]', () => {
    const { stdout } = spawnSync(process.execPath, [cli, 'test', join(folder, 'ops', 'ping.form.json')], { encoding: 'utf8' });
    expect(stdout).toContain('ping.form.json: silver; for gold: languages');
  });
});
