import { useMemo } from 'react';
import type { ActionEntry, ActionPlace } from '../../../schemas/kit/resources/resource-types.ts';
import type { MenuGroup } from '../resources/derive.ts';
import { MENU_GROUPS } from '../resources/derive.ts';
import type { Resource } from '../resources/resource.ts';
import { useAddedForms, type AddedForm } from './added-forms.ts';

const ICONS = { job: 'square-terminal', webhook: 'send', call: 'file' } as const;

/** The navigation with the added forms that ask for an entry, at the end of their groups. Pure. */
export function menuWith(groups: readonly MenuGroup[], added: readonly AddedForm[]): MenuGroup[] {
  return MENU_GROUPS.flatMap((name): MenuGroup[] => {
    const group = groups.find((candidate) => candidate.name === name) ?? { name, label: `menu.groups.${name}`, items: [] };
    const own = added.filter((form) => form.place.menu === name && !form.needs_record);
    const items = [
      ...group.items,
      ...own.map((form) => ({ resource: '', path: `/forms/${form.id}`, icon: ICONS[form.sends], label: '', text: form.title })),
    ];
    return items.length > 0 ? [{ ...group, items }] : [];
  });
}

function placesOf({ place, sends }: AddedForm, resource: string): ActionPlace[] {
  if (resource === 'devices')
    return (place.devices ?? []).flatMap((where): ActionPlace[] => (where === 'row' ? ['row', 'page'] : ['bulk']));
  // A job is for devices, and a company is none.
  return resource === 'companies' && place.company && sends !== 'job' ? ['page'] : [];
}

/** The actions that added forms bring to a resource: a device job with its preview, any other as a form. Pure. */
export function addedActions(added: readonly AddedForm[], resource: string): ActionEntry[] {
  return added.flatMap((form): ActionEntry[] => {
    const on = placesOf(form, resource);
    if (on.length === 0) return [];
    const common = { id: `forms.${form.id}`, title: form.title, on, icon: ICONS[form.sends], danger: form.danger, form: form.id };
    if (form.sends === 'job') return [{ ...common, kind: 'job', job: 'form', risk: form.danger ? 'destructive' : 'disruptive' }];
    return [{ ...common, kind: 'form' }];
  });
}

/** A resource with the actions of added forms behind its own. */
export function useWithAddedForms(resource: Resource): Resource {
  const added = useAddedForms();
  return useMemo(() => {
    const more = addedActions(added, resource.name);
    return more.length === 0 ? resource : { ...resource, actions: [...(resource.actions ?? []), ...more] };
  }, [added, resource]);
}
