/** The text of a form file to start from: a device job with one field. */
export function newForm(id: string): string {
  const [, name = ''] = id.split('/');
  const words = name.replaceAll('-', ' ');
  const form = {
    $schema: '/schemas/form-v1.json',
    id,
    title: { en: words.charAt(0).toUpperCase() + words.slice(1) },
    surface: 'dialog',
    permission: 'execute_device_actions',
    version: 1,
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['text'],
      properties: { text: { type: 'string', minLength: 1, maxLength: 100 } },
    },
    ui: { text: { 'ui:label': { en: 'Text' }, 'ui:autofocus': true } },
    submit: { job: { steps: [['logger', '{device.name}: {text}']], timeout: 30 }, success: { then: 'job' } },
    place: { devices: ['row', 'bulk'] },
    examples: [{ text: 'Hello' }],
  };
  return `${JSON.stringify(form, null, 2)}\n`;
}
