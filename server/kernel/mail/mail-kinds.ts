import type texts from './texts.json';

export type MailKind = keyof (typeof texts)['en'];

/** What a mail says at a place: `line` a short text of somebody, `lines` several of them, `link` an address of ours, `address` of mail, as it was checked. */
export type VariableKind = 'line' | 'lines' | 'link' | 'address';

export interface MailKindRules {
  /** Part of the numbers of templates; never changes. */
  number: number;
  /**
   * It lets its reader act as somebody, or warns of it. A company could read it on its own mail server and sign in as people with more rights, so it
   * goes by the installation's; what a company writes into it brings no address of its own.
   */
  isOfTheAccount: boolean;
  variables: Record<string, VariableKind>;
  /** It is worth something after a day too: a mail server that is away so long is asked again until it takes it. */
  isPatient?: boolean;
  /** Without these the mail would be of no use to its reader. */
  required: readonly string[];
}

export const mailKinds: Record<MailKind, MailKindRules> = {
  invitation: { number: 1, isOfTheAccount: false, variables: { inviter: 'line', company: 'line', url: 'link' }, required: ['url'] },
  'new-password': { number: 2, isOfTheAccount: true, variables: { url: 'link' }, required: ['url'] },
  'confirm-email': { number: 3, isOfTheAccount: true, variables: { url: 'link' }, required: ['url'] },
  'email-asked': { number: 4, isOfTheAccount: true, variables: { email: 'address' }, required: ['email'] },
  'email-changed': { number: 5, isOfTheAccount: true, variables: { email: 'address' }, required: ['email'] },
  code: { number: 6, isOfTheAccount: true, variables: { code: 'line' }, required: ['code'] },
  'impersonation-asked': {
    number: 7,
    isOfTheAccount: true,
    variables: { name: 'line', reason: 'line', url: 'link' },
    required: ['name', 'reason', 'url'],
  },
  digest: {
    number: 8,
    isOfTheAccount: false,
    isPatient: true,
    variables: { count: 'line', lines: 'lines', zone: 'line', url: 'link' },
    required: ['lines'],
  },
  alerts: {
    number: 11,
    isOfTheAccount: false,
    isPatient: true,
    variables: { count: 'line', lines: 'lines', url: 'link' },
    required: ['lines'],
  },
  report: {
    number: 12,
    isOfTheAccount: false,
    isPatient: true,
    variables: { name: 'line', company: 'line', from: 'line', to: 'line', count: 'line', url: 'link' },
    required: ['url'],
  },
  automation: {
    number: 10,
    isOfTheAccount: false,
    isPatient: true,
    variables: { subject: 'line', message: 'lines', lines: 'lines', name: 'line', company: 'line', url: 'link' },
    required: ['message', 'lines'],
  },
  'access-shared': {
    number: 13,
    isOfTheAccount: false,
    variables: {
      name: 'line',
      company: 'line',
      entry: 'line',
      device: 'line',
      purpose: 'line',
      until: 'line',
      email: 'address',
      url: 'link',
    },
    required: ['url'],
  },
  test: { number: 9, isOfTheAccount: false, variables: { name: 'line' }, required: [] },
};

/** Whether a text names a kind of mail. */
export function isMailKind(kind: string): kind is MailKind {
  return Object.hasOwn(mailKinds, kind);
}
