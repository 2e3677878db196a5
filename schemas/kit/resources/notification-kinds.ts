import type { PermissionName } from '../../_generated/contract.ts';
import { withConditions } from './rule-sentence.ts';
import file from '../../notifications.json' with { type: 'json' };

export type NotificationKind = keyof typeof file;
type Texts = Record<'en' | 'nb' | 'ja' | 'uk', string>;

/** An entry of `notifications.json`: who may read it, whether it is on without a rule, where it leads, and its sentence. */
export interface NotificationKindEntry {
  permission: PermissionName;
  isOn: boolean;
  link: string;
  manyLink: string;
  one: Texts;
  /** For several things at once, which are counted instead of named. */
  many: Texts;
}

/** What a sentence is made of. `subject_name` is empty when several things stand together. */
export interface NotificationContent {
  type: NotificationKind;
  count: number;
  company_id: number;
  company_name: string;
  subject_id: number | null;
  subject_name: string;
  /** Further parts of the sentence: `ok`, `failed`, `total`, `left`, `reason`; `conditions` as JSON are what `%ex` in `message` says. */
  details: Record<string, string | number>;
}

export const notificationKinds = file as Record<NotificationKind, NotificationKindEntry>;
export const notificationTypes = Object.keys(file) as NotificationKind[];

function filled(template: string, { details, ...content }: NotificationContent, language: keyof Texts = 'en'): string {
  const { message, conditions } = details;
  const parts: Record<string, string | number | null> = {
    ...details,
    ...(typeof message === 'string' && typeof conditions === 'string' ? { message: withConditions(message, conditions, language) } : {}),
    name: content.subject_name,
    company: content.company_name,
    company_id: content.company_id,
    subject_id: content.subject_id,
    count: content.count,
  };
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(parts[name] ?? whole));
}

/** The sentence of a notification, the same in the console and in mails. */
export function notificationText(content: NotificationContent, language: keyof Texts): string {
  const entry = notificationKinds[content.type];
  return filled((content.subject_name === '' ? entry.many : entry.one)[language], content, language);
}

/** The console's page that a notification is about. */
export function notificationLink(content: NotificationContent): string {
  const entry = notificationKinds[content.type];
  return filled(content.subject_name === '' ? entry.manyLink : entry.link, content);
}
