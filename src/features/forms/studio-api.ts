import { dataProvider } from '../../engine/data/data-provider.ts';
import { api, type FileAnswer } from '../../kernel/http/index.ts';
import type { FormBreak } from '../../../schemas/kit/form/form-breaks.ts';
import type { FormQuality } from '../../../schemas/kit/lint/form-quality.ts';
import type { ErrorItem, FormFile, FormPlaces, JsonValue, Text } from '../../../schemas/kit/form/types.ts';

/** Something wrong in the text of a form. Line and column count from 1. */
export interface Finding {
  line: number;
  column: number;
  code: string;
  message: string;
}

/** A form of this installation. */
export interface FormSummary {
  id: string;
  /** Empty for a file that never was a form. */
  title: Text;
  origin: 'shipped' | 'added';
  version: number | null;
  permission: string | null;
  place: FormPlaces | null;
  /** Takes the place of the form of this id that ships. */
  replaces: boolean;
  /** `broken`: the last good version is in use · `unusable`: there is none. */
  health: 'ok' | 'broken' | 'unusable';
  /** Null while something is wrong. */
  quality: FormQuality | null;
  findings: Finding[];
  updated_at: string | null;
  updated_by: string;
}

/** A form with its text; without one when the file cannot be read. */
export interface FormSource extends FormSummary {
  text: string | null;
  etag: string | null;
}

export interface Checked {
  findings: Finding[];
  /** They keep nobody from saving the text. */
  warnings: Finding[];
  /** For which fields bodies that the version in use takes would be refused. */
  breaks: FormBreak[];
  form: FormFile | null;
  /** Names the compiled code for some minutes; null while something is wrong. */
  hash: string | null;
}

export interface VersionLine {
  number: number;
  user_name: string;
  note: string;
  at: string;
}

/** What a form handed to its webhook, with each try. */
export interface Delivery {
  id: number;
  target: string;
  state: 'waiting' | 'delivered' | 'failed';
  user_name: string;
  created_at: string;
  next_at: string | null;
  attempts: { at: string; status: number | null; reason: string | null; duration_ms: number }[];
}

export interface DryRun {
  device?: { id: number; name: string } | null;
  command?: string | null;
  request?: { method: string; url: string; headers: Record<string, string>; body: JsonValue };
}

export interface Imported {
  saved: { id: string; version: number }[];
  errors: ErrorItem[];
}

// `ops/set-apn`
const ID = /^[a-z][a-z0-9-]{0,63}\/[a-z][a-z0-9-]{0,63}$/;

/** Whether a text can be the id of a form. */
export const isFormId = (id: string): boolean => ID.test(id);

const over = (etag: string | null): Record<string, string> => (etag === null ? {} : { 'If-Match': etag });

/** Calls of the studio outside of hooks; all throw `ApiError`. */
export const studio = {
  list: async (): Promise<FormSummary[]> => (await dataProvider.custom<FormSummary[]>({ url: '/forms', method: 'get' })).data,
  read: async (id: string): Promise<FormSource> => (await dataProvider.custom<FormSource>({ url: `/forms/${id}`, method: 'get' })).data,
  check: async (id: string, text: string, signal: AbortSignal): Promise<Checked> => {
    const { data } = await dataProvider.custom<Checked>({ url: '/forms/check', method: 'post', payload: { id, text }, meta: { signal } });
    return data;
  },
  /** `etag`: of the text that was read before; null for a new form. Throws FORM_CHANGED when it is not the present one. */
  save: async (id: string, text: string, etag: string | null): Promise<FormSource> => {
    const { data } = await dataProvider.custom<FormSource>({ url: `/forms/${id}`, method: 'put', payload: { text }, headers: over(etag) });
    return data;
  },
  async remove(id: string, etag: string | null): Promise<void> {
    await dataProvider.custom({ url: `/forms/${id}`, method: 'delete', headers: over(etag) });
  },
  async restore(id: string, number: number, etag: string | null): Promise<void> {
    await dataProvider.custom({ url: `/forms/${id}/versions/${number}/restore`, method: 'post', headers: over(etag) });
  },
  dryRun: async (hash: string, values: JsonValue): Promise<DryRun> => {
    const { data } = await dataProvider.custom<DryRun>({ url: '/forms/check/dry-run', method: 'post', payload: { hash, data: values } });
    return data;
  },
  download: (): Promise<FileAnswer> => api.download('/forms/export'),
  async import(forms: readonly { id: string; text: string }[], overwrite: boolean): Promise<Imported> {
    const { data, errors } = await dataProvider.custom<Imported['saved']>({
      url: '/forms/import',
      method: 'post',
      payload: { forms, overwrite },
    });
    return { saved: data, errors };
  },
};
