import type { Permission } from '../../../schemas/_generated/contract.ts';
import { hasText, translate } from '../../kernel/i18n/index.ts';

const textOr = (key: string, otherwise: string): string => (hasText(key) ? translate(key) : otherwise);

export function roleDescription(name: string, description: string): string {
  return textOr(`roles.${name}.description`, description);
}

export function permissionTitle({ name, title }: Pick<Permission, 'name' | 'title'>): string {
  return textOr(`permissions.${name}`, title);
}

export function permissionDescription({ name, description }: Pick<Permission, 'name' | 'description'>): string {
  return textOr(`permissions.${name}.description`, description ?? '');
}

/** Categories are words in the contract ("Device actions"); their texts have the word's slug. */
export function categoryTitle(category: string): string {
  return textOr(`permission_categories.${category.toLowerCase().replaceAll(' ', '_')}`, category);
}
