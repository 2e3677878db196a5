import { readFileSync } from 'node:fs';
import type { FormId } from '../../schemas/_generated/contract.ts';
import { completeForm, type WrittenForm } from '../../schemas/kit/form/complete-form.ts';
import type { ObjectForm } from '../../schemas/kit/form/types.ts';

const loaded = new Map<string, ObjectForm>();

/** The form file that ships under this id. Throws when there is none: a mistake in code, not in input. */
export function loadForm(id: FormId): ObjectForm {
  const known = loaded.get(id);
  if (known) return known;
  const text = readFileSync(new URL(`../../schemas/forms/${id}.form.json`, import.meta.url), 'utf8');
  const form = completeForm(JSON.parse(text) as WrittenForm & Pick<ObjectForm, 'schema' | 'examples'>);
  loaded.set(id, form);
  return form;
}
