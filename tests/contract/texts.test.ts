import { describe, expect, test } from 'vitest';
import { resources } from '../../resources.config.ts';
import { loadContract } from '../../schemas/kit/codegen/load.ts';
import { validationTexts } from '../../schemas/kit/form/messages.ts';
import { hasTextFor, textKeysOf, withoutPlural } from '../../schemas/kit/form/text-keys.ts';
import { languages, readTexts } from './texts.ts';

const contract = loadContract();
const english = readTexts('en');
const keys = textKeysOf(contract, resources);

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();
}

describe.each(languages)('the texts in %s', (language) => {
  const texts = readTexts(language);

  test('have every key that the contract and the resource list show', () => {
    const known = new Set(Object.keys(texts));
    expect(keys.filter((key) => !hasTextFor(key, known))).toEqual([]);
  });

  test('say of every list what will be in it, for those to whom it is empty', () => {
    // Of each company: nobody sees them without rows.
    const full = new Set(['company-statistics', 'people-statistics', 'online-statistics']);
    const silent = resources.filter((resource) => resource.table && !full.has(resource.name) && !texts[`resources.${resource.name}.empty`]);
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test('say in the history of every kind of job that it was started', () => {
    const kinds = Object.keys(texts).flatMap((key) => /^values\.job\.kind\.(.+)$/.exec(key)?.[1] ?? []);
    expect(kinds.length).toBeGreaterThan(30);
    expect(kinds.filter((kind) => !texts[`history.actions.devices.${kind}`])).toEqual([]);
  });

  test('have every plural form of the language', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const plurals = new Set(
      Object.keys(validationTexts)
        .filter((key) => key !== withoutPlural(key))
        .map(withoutPlural),
    );
    expect([...plurals].flatMap((key) => forms.map((form) => `${key}_${form}`)).filter((key) => texts[key] === undefined)).toEqual([]);
  });

  test('have the same placeholders as English', () => {
    const wrong = keys.filter(
      (key) => texts[key] !== undefined && placeholders(texts[key]).join() !== placeholders(english[key] ?? '').join(),
    );
    expect(wrong).toEqual([]);
  });
});

test('the server and the console say the same in English when a value is refused', () => {
  const differing = Object.entries(validationTexts).filter(([key, text]) => english[key] !== text);
  expect(differing).toEqual([]);
});

test('the parameters of every error text are those of its English text', () => {
  const differing = Object.entries(contract.errors.errors).filter(
    ([code, { message }]) => placeholders(message).join() !== placeholders(english[`errors.${code}`] ?? '').join(),
  );
  expect(differing).toEqual([]);
});
