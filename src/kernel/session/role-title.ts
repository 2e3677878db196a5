import { hasText, translate } from '../i18n/index.ts';

/** A role's title: built-in roles have their words in every language, other ones their own title. */
export function roleTitle({ name, title }: { name: string; title: string }): string {
  const key = `roles.${name}`;
  return hasText(key) ? translate(key) : title;
}
