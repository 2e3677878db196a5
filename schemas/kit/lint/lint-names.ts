import type { FormField } from '../form/form-fields.ts';
import type { JsonPath, LintSource } from './lint-source.ts';
import { didYouMean } from './nearest.ts';
import type { FormFile } from '../form/types.ts';

/** The names that contract files may refer to; a list that is not given is not checked. */
export interface KnownNames {
  permissions?: ReadonlySet<string>;
  lookups?: ReadonlySet<string>;
  help?: ReadonlySet<string>;
  entities?: ReadonlySet<string>;
  resources?: ReadonlySet<string>;
  /** Ids of the forms that ship, where files that are added to them are checked by themselves. */
  forms?: ReadonlySet<string>;
  /** Names of the setting WEBHOOKS. */
  webhooks?: ReadonlySet<string>;
  /** Keys of the English texts. */
  texts?: ReadonlySet<string>;
}

/** A form that is checked, and what its names may refer to. */
export interface FormContext {
  source: LintSource;
  form: FormFile;
  fields: ReadonlyMap<string, FormField>;
  /** The paths of the fields. */
  names: string[];
  known: KnownNames;
  /** It is added to the forms that ship: its schema may be anybody's. */
  isAdded: boolean;
}

/** Reports a name that is none of the known ones. */
export function checkName(
  source: LintSource,
  at: JsonPath,
  what: string,
  name: string | undefined,
  known: Iterable<string> | undefined,
  key?: 'key',
): void {
  if (name === undefined || known === undefined) return;
  const names = new Set(known);
  if (!names.has(name)) source.report(at, `unknown-${what}`, `No ${what} named "${name}".${didYouMean(name, names)}`, key);
}
