declare module 'virtual:canopy-forms' {
  import type { FormId } from '../../_generated/contract.ts';
  import type { FormModule } from '../form/form-validator.ts';

  /** Loads a form and its compiled validators on demand, each from a file of its own. */
  export const forms: { readonly [Id in FormId]: () => Promise<FormModule> };
}
