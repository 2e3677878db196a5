import { useStore } from '../store.ts';
import { settings } from './index.ts';

/*
 * Questions that the user does not want to be asked any more. Each is a setting `prompt.<key>` that is there only while the question is off;
 * it holds the title that the question had, so that the settings page can name it.
 */
const PREFIX = 'prompt.';

/** Whether the user still wants to be asked. */
export function isPromptOn(key: string): boolean {
  return settings.get(PREFIX + key) === undefined;
}

/** Keeps that this is not asked any more; throws `ApiError`. */
export function turnPromptOff(key: string, title: string): Promise<void> {
  return settings.set(PREFIX + key, title);
}

/** Asks again from now on; throws `ApiError`. */
export function turnPromptOn(key: string): Promise<void> {
  return settings.remove(PREFIX + key);
}

/** The questions that are off. */
export function useOffPrompts(): { key: string; title: string }[] {
  const values = useStore(settings.store);
  return [...values]
    .filter(([key]) => key.startsWith(PREFIX))
    .map(([key, title]) => ({ key: key.slice(PREFIX.length), title: typeof title === 'string' ? title : key.slice(PREFIX.length) }));
}
