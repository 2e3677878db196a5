import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadContract, schemasFolder } from '../../schemas/kit/codegen/load.ts';
import { printContract } from '../../schemas/kit/codegen/print-types.ts';
import { printRuleWords } from '../../schemas/kit/codegen/rule-words.ts';
import { contractForms } from '../../schemas/kit/codegen/vite-plugin.ts';

const lintCli = fileURLToPath(new URL('../../schemas/kit/lint/lint-cli.ts', import.meta.url));
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'canopy-contract-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the generated types are those of the files', () => {
  expect(readFileSync(join(schemasFolder, '_generated', 'contract.ts'), 'utf8')).toBe(printContract(loadContract()));
});

test('the generated words of rules are those of the console', () => {
  expect(readFileSync(join(schemasFolder, '_generated', 'rule-words.json'), 'utf8')).toBe(printRuleWords());
});

describe('the linter as a command', () => {
  test('is content with the contract', () => {
    expect(execFileSync(process.execPath, [lintCli], { encoding: 'utf8' })).toMatch(/contract files are right/);
  });

  test('ends with 1 and a place that an editor can jump to when a form of an integrator is wrong', () => {
    const room = join(folder, 'forms', 'tags');
    mkdirSync(room, { recursive: true });
    const form = readFileSync(join(schemasFolder, 'forms/tags/edit.form.json'), 'utf8');
    writeFileSync(
      join(room, 'paint.form.json'),
      form
        .replace('"tags/edit"', '"tags/paint"')
        .replace('"path": "/tags/{id}"', '"path": "/tags/{id}/paint"')
        .replace('update_tags', 'update_tag'),
    );
    writeFileSync(join(room, 'broken.form.json'), '{ "id": }');
    const { status, stderr } = spawnSync(process.execPath, [lintCli, folder], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/paint\.form\.json:\d+:\d+ unknown-permission No permission named "update_tag"\. Did you mean "update_tags"\?/);
    expect(stderr).toMatch(/broken\.form\.json:1:9 bad-json/);
  });
});

describe('the forms in the console’s build', () => {
  test('are a file each, loaded when needed, without Ajv and without code made at run time', async () => {
    cpSync(join(schemasFolder, 'forms'), join(folder, 'ours'), { recursive: true });
    const entry = join(folder, 'entry.js');
    writeFileSync(entry, "import { forms } from 'virtual:canopy-forms';\nglobalThis.forms = forms;\n");
    const result = await build({
      configFile: false,
      logLevel: 'silent',
      root: folder,
      plugins: [contractForms(join(folder, 'ours'))],
      build: { write: false, minify: false, rolldownOptions: { input: entry } },
    });
    const outputs = [result].flat().flatMap((part) => ('output' in part ? part.output : []));
    const chunks = outputs.flatMap((output) => (output.type === 'chunk' ? [output] : []));
    const forms = Object.keys(loadContract().forms);
    expect(chunks.filter(({ isDynamicEntry }) => isDynamicEntry)).toHaveLength(forms.length);
    expect(chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => id.includes('node_modules'))).toEqual([]);
    for (const { code } of chunks) expect(code).not.toMatch(/new Function|\beval\(|\brequire\(/);
    const login = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith('account/login')));
    expect(login?.code.length).toBeLessThan(8000);
  });
});
