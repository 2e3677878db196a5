import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeForm, type FieldDescription, type MemberDescription } from '../../schemas/kit/form/describe-form.ts';
import { schemasFolder } from '../../schemas/kit/codegen/load.ts';
import { englishText } from '../../schemas/kit/form/messages.ts';
import type { FormFile, Text } from '../../schemas/kit/form/types.ts';

type Texts = Readonly<Record<string, string>>;

function readEnglish(): Texts {
  const folder = resolve(schemasFolder, '../src/locales/en');
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return Object.assign({}, ...files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Texts)) as Texts;
}

function wordsOf(text: Text | undefined, texts: Texts): string {
  if (text === undefined) return '';
  return typeof text === 'string' ? (texts[text] ?? text) : text.en;
}

/** What is in a group, each member below it. */
function explainMembers(members: readonly MemberDescription[], texts: Texts, indent: string): string[] {
  return members.flatMap(({ name, type, required, rules, members: inner }) => [
    `${indent}${name} (${type}): ${[
      englishText(required ? 'form_docs.required' : 'form_docs.optional', {}, texts),
      ...rules.map(({ key, params }) => englishText(key, params, texts)),
    ].join('; ')}`,
    ...explainMembers(inner, texts, `${indent}  `),
  ]);
}

function explainField(
  { name, label, type, required, depends, permission, since, deprecated, rules }: FieldDescription,
  texts: Texts,
): string {
  const say = (key: string, params: Record<string, string | number> = {}): string => englishText(key, params, texts);
  const conditions = Object.entries(depends).map(([other, values]) =>
    say('form_docs.depends', { name: other, values: values.map((value) => JSON.stringify(value)).join(', ') }),
  );
  const words = [
    say(required ? 'form_docs.required' : 'form_docs.optional'),
    ...conditions,
    ...rules.map(({ key, params }) => englishText(key, params, texts)),
    ...(permission === undefined ? [] : [say('form_docs.needs', { permission })]),
    ...(since === undefined ? [] : [say('form_docs.since', { version: since })]),
    ...(deprecated === undefined ? [] : [wordsOf(deprecated, texts)]),
  ];
  const shown = wordsOf(label ?? `fields.${name}`, texts);
  return `  ${name} (${type})${shown === `fields.${name}` ? '' : `, "${shown}"`}: ${words.join('; ')}`;
}

function explainSending({ submit }: FormFile): string[] {
  const { job, webhook, method, path } = submit;
  if (job) return ['Runs on each chosen device:', ...job.steps.map((step) => `  ${step.join(' ')}`)];
  return webhook ? [`Calls the program that the setting names "${webhook.to}".`] : [`Calls ${method} /api${path}.`];
}

/** A form in plain English words: what it is for, who may use it, each field with its rules, and what it sends. */
export function explainForm(form: FormFile): string {
  const texts = readEnglish();
  const about = describeForm(form);
  return [
    `${about.id}, version ${about.version}: ${wordsOf(about.title, texts)}`,
    ...(about.description === undefined ? [] : [wordsOf(about.description, texts)]),
    `For holders of ${about.permission}.`,
    ...(about.fields.length === 0
      ? ['It has no fields.']
      : ['Fields:', ...about.fields.flatMap((field) => [explainField(field, texts), ...explainMembers(field.members, texts, '    ')])]),
    ...explainSending(form),
    'It sends, for example:',
    JSON.stringify(about.request.body, null, 2),
  ].join('\n');
}
