import { useQuery } from '@tanstack/react-query';
import { api, seldomChanging } from '../../../kernel/http/index.ts';
import { currentLanguage, type Language } from '../../../kernel/i18n/index.ts';

/** How the preview is to look, and what the server is made to answer. */
export interface PreviewWishes {
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

export const START: PreviewWishes = {
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
  const { data = [] } = useQuery({
    queryKey: ['preview-roles'],
    queryFn: async ({ signal }) =>
      (await api.get<NamedRole[]>('/roles', { query: { limit: 100, sort: 'id' }, signal, keep: seldomChanging })).data,
  });
  return data;
}

/** What holders of a role may do; `undefined` for the own one, and until it is known. */
export function useRolePermissions(role: number): readonly string[] | undefined {
  const { data } = useQuery({
    queryKey: ['preview-permissions', role],
    enabled: role !== 0,
    queryFn: async ({ signal }) =>
      (await api.get<{ name: string }[]>(`/roles/${role}/permissions`, { query: { limit: 100 }, signal, keep: seldomChanging })).data.map(
        ({ name }) => name,
      ),
  });
  return role === 0 ? undefined : data;
}

export interface NamedDevice {
  id: number;
  name: string;
}

/** Some devices that a form can be tried for. */
export function useDevices(isWanted: boolean): readonly NamedDevice[] {
  const { data = [] } = useQuery({
    queryKey: ['preview-devices'],
    enabled: isWanted,
    queryFn: async ({ signal }) =>
      (await api.get<NamedDevice[]>('/devices', { query: { limit: 100, fields: 'id,name', sort: 'name' }, signal })).data,
  });
  return isWanted ? data : [];
}
