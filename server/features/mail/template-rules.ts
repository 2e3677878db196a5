import { InvalidFields } from '../../kernel/errors.ts';
import type { Language } from '../../kernel/language.ts';
import { fillTemplate, placesIn, type MailText } from '../../kernel/mail/fill-template.ts';
import { mailKinds, type MailKind } from '../../kernel/mail/mail-kinds.ts';
import samples from './samples.json' with { type: 'json' };

type Fault = ConstructorParameters<typeof InvalidFields>[0][number];

// What mail programs make links of: `https://…`, `www.…`.
const ADDRESS = /:\/\/|www\./i;

function faultsOf(kind: MailKind, { subject, text }: MailText): Fault[] {
  const { variables, required, isOfTheAccount } = mailKinds[kind];
  const faults: Fault[] = [];
  for (const [source, value] of Object.entries({ subject, text })) {
    for (const name of placesIn(value)) {
      if (!Object.hasOwn(variables, name))
        faults.push({ source, message: `This mail has no ${name}.`, params: { key: 'forms.mail.unknown_place', name } });
      else if (source === 'subject' && variables[name] !== 'line')
        faults.push({ source, message: `The subject has no room for ${name}.`, params: { key: 'forms.mail.not_in_subject', name } });
    }
    if (isOfTheAccount && ADDRESS.test(value))
      faults.push({ source, message: 'This mail has no address but ours.', params: { key: 'forms.mail.no_addresses' } });
  }
  for (const name of required) {
    if (!placesIn(text).includes(name))
      faults.push({
        source: 'text',
        message: `Without ${name} this mail is of no use.`,
        params: { key: 'forms.mail.missing_place', name },
      });
  }
  return faults;
}

/** Holds a text to what its mail needs and may say. Throws INVALID_FIELD at `subject` or `text`. */
export function assertUsable(kind: MailKind, template: MailText): void {
  const faults = faultsOf(kind, template);
  if (faults.length > 0) throw new InvalidFields(faults);
}

/** A preview of a mail with these words, with made-up values, and the variables that it may use. */
export function previewOf(kind: MailKind, language: Language, template: MailText, publicUrl: string) {
  const { variables, required } = mailKinds[kind];
  const values: Record<string, string> = { ...samples[language], url: `${publicUrl}/…` };
  return {
    ...fillTemplate(template, variables, values),
    variables: Object.keys(variables).map((name) => ({ name, sample: values[name] ?? '', is_required: required.includes(name) })),
  };
}
