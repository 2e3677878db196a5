import { loadTexts } from '../i18n/index.ts';
import { ApiError } from './api-error.ts';

/** Throws an error when its words are there. Refusals are rare, so the texts of them come with the first one. */
export async function throwWithTexts(error: unknown): Promise<never> {
  const isAnswer = error instanceof ApiError && error.kind === 'answer';
  // Without them the server's own words are shown.
  if (isAnswer) await loadTexts('errors', 'permissions', 'history').catch(() => undefined);
  throw error;
}
