import { useList } from '@refinedev/core';
import { currentLanguage, type Language } from '../../../kernel/i18n/index.ts';
import { keptFor, SELDOM_CHANGING_MS } from '../../../kernel/queries.ts';
import type { Judgement } from '../use-checked.ts';
import type { FormModule } from '../../../../schemas/kit/form/form-validator.ts';

const ROLES = keptFor(SELDOM_CHANGING_MS, 'roles');

/** Settings of the preview, with the server's simulated answer. */
export interface PreviewOptions {
  /** Id of a role; 0: the own one. */
  role: number;
  language: Language;
  mode: 'page' | 'light' | 'dark';
  width: '390' | '768' | 'full';
  device: number | undefined;
  /** A field that the server is made to refuse; empty: none. */
  wrongField: string;
  wrongMessage: string;
}

export const START: PreviewOptions = {
  role: 0,
  get language() {
    return currentLanguage();
  },
  mode: 'page',
  width: 'full',
  device: undefined,
  wrongField: '',
  wrongMessage: '',
};

export interface NamedRole {
  id: number;
  name: string;
  title: string;
}

/** The roles that this user sees, built-in ones first. */
export function useRoles(): readonly NamedRole[] {
  const { result } = useList<NamedRole>({
    resource: 'roles',
    pagination: { mode: 'off' },
    sorters: [{ field: 'id', order: 'asc' }],
    queryOptions: ROLES,
    errorNotification: false,
  });
  return result.data;
}

/** What holders of a role may do; `undefined` for the own one, and until it is known. */
export function useRolePermissions(role: number): readonly string[] | undefined {
  const { query } = useList<{ name: string }>({
    resource: `roles/${role}/permissions`,
    pagination: { mode: 'off' },
    queryOptions: { ...ROLES, enabled: role !== 0 },
    errorNotification: false,
  });
  return role === 0 ? undefined : query.data?.data.map(({ name }) => name);
}

export interface NamedDevice {
  id: number;
  name: string;
}

/** Some devices that a form can be tried for. */
export function useDevices(isWanted: boolean): readonly NamedDevice[] {
  const { result } = useList<NamedDevice>({
    resource: 'devices',
    pagination: { mode: 'off' },
    sorters: [{ field: 'name', order: 'asc' }],
    meta: { query: { fields: 'id,name' } },
    queryOptions: { enabled: isWanted },
    errorNotification: false,
  });
  return isWanted ? result.data : [];
}

export interface PreviewedForm extends NonNullable<Judgement['good']> {
  module: FormModule;
}
