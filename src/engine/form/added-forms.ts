import { dataProvider } from '../data/data-provider.ts';
import { live } from '../../kernel/socket/index.ts';
import { createStore, useStore } from '../../kernel/store.ts';
import type { AddedFormId } from '../../../schemas/kit/resources/resource-types.ts';
import type { FormPlaces, Text } from '../../../schemas/kit/form/types.ts';

/** A form that was added to this installation, as far as this user may open it. */
export interface AddedForm {
  id: AddedFormId;
  title: Text;
  /** Of its compiled code: `/forms-code/<id>.<hash>.js`. */
  hash: string;
  version: number;
  permission: string;
  place: FormPlaces;
  /** Takes the place of the form of this id that ships. */
  replaces: boolean;
  danger: boolean;
  /** Its path needs a record's number. */
  needs_record: boolean;
  sends: 'job' | 'webhook' | 'call';
}

const forms = createStore<readonly AddedForm[]>([]);
let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  try {
    const { data } = await dataProvider.custom<AddedForm[]>({ url: '/forms/added', method: 'get', meta: { survivesRouteChange: true } });
    forms.set(data);
  } catch {
    // The console is whole without them; the next event or the next break of the channel asks again.
  }
}

/** Asks for the list again; resolves when it is known, or could not be. */
export function reloadAddedForms(): Promise<void> {
  loading = load();
  return loading;
}

/** Follows the added forms from now on (docs/behaviour.md section 10); once, as soon as somebody is signed in. */
export function followAddedForms(): void {
  void reloadAddedForms();
  const reload = (): void => void reloadAddedForms();
  live.follow('forms', { onEvent: reload, onFollowed: reload });
}

/** The added form of an id, once the list is known; `undefined` when there is none for this user. */
export async function findAddedForm(id: string): Promise<AddedForm | undefined> {
  await loading;
  return forms.get().find((form) => form.id === id);
}

/** Calls back whenever the list was loaded again: a file was added, changed, removed or broken. Returns the way to stop. */
export const subscribeAddedForms = forms.subscribe;

/** The added forms of this user; renders again when one is added, changed or removed. */
export function useAddedForms(): readonly AddedForm[] {
  return useStore(forms);
}
