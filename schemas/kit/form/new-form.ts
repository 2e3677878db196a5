/** What a form can do when it is sent: start a job over devices, call the API, call a program elsewhere. */
export const NEW_FORM_KINDS = ['job', 'api', 'webhook'] as const;
export type NewFormKind = (typeof NEW_FORM_KINDS)[number];

const field = (name: string, label: string) => ({
  schema: {
    type: 'object',
    additionalProperties: false,
    required: [name],
    properties: { [name]: { type: 'string', minLength: 1, maxLength: 100 } },
  },
  ui: { [name]: { 'ui:label': { en: label }, 'ui:autofocus': true } },
});

const STARTS = {
  job: {
    description: { en: 'Writes a text into the log of each chosen device.' },
    permission: 'execute_device_actions',
    version: 1,
    ...field('text', 'Text'),
    submit: { job: { steps: [['logger', '{device.name}: {text}']], timeout: 30 }, success: { then: 'job' } },
    place: { devices: ['row', 'bulk'] },
    examples: [{ text: 'Hello' }],
  },
  api: {
    description: { en: 'Gives the company another name.' },
    permission: 'update_companies',
    version: 1,
    load: { path: '/companies/{id}' },
    ...field('name', 'Name'),
    submit: { method: 'PUT', path: '/companies/{id}', success: { message: { en: 'Saved' }, reload: ['companies'] } },
    place: { company: true },
    examples: [{ name: 'Fjordline Nord' }],
  },
  webhook: {
    description: { en: 'Hands a text over to a program elsewhere.' },
    permission: 'view_devices',
    version: 1,
    ...field('text', 'Text'),
    submit: { webhook: { to: 'tickets' }, success: { message: { en: 'Handed over' } } },
    place: { menu: 'management' },
    examples: [{ text: 'Hello' }],
  },
} as const satisfies Record<NewFormKind, object>;

/** The text of a form file to start from, with one field: a device job by default. */
export function newForm(id: string, kind: NewFormKind = 'job'): string {
  const [, name = ''] = id.split('/');
  const words = name.replaceAll('-', ' ');
  const title = { en: words.charAt(0).toUpperCase() + words.slice(1) };
  const { description, ...rest } = STARTS[kind];
  const text = JSON.stringify({ $schema: '/schemas/form-v1.json', id, title, description, surface: 'dialog', ...rest }, null, 2);
  // Lists of plain values stay on one line, as people write them.
  return `${text.replace(/\[\s+([^[\]{}]+?)\s+\]/g, (_list, values: string) => `[${values.replace(/\s*\n\s*/g, ' ')}]`)}\n`;
}

/** Whether a text names a kind of form to start from. */
export function isNewFormKind(text: unknown): text is NewFormKind {
  return NEW_FORM_KINDS.some((kind) => kind === text);
}
