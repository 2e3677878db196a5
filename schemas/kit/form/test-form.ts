import type { FormFile } from './types.ts';

/** A form file with only what the test is about. */
export function makeForm(form: Partial<FormFile> & Pick<FormFile, 'schema'>): FormFile {
  return {
    $schema: '',
    id: 'test/form',
    title: { en: 'Test form' },
    surface: 'dialog',
    permission: 'public',
    submitLabel: { en: 'Send' },
    submit: { method: 'POST', path: '/things', success: { message: { en: 'It is done' }, then: 'close' } },
    examples: [],
    ...form,
  };
}
