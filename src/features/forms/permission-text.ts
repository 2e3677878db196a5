import { hasText, type Translate } from '../../kernel/i18n/index.ts';

/** Who may open and send a form, or see a field, in words: `public`, `signed-in`, or the name of a permission. */
export function permissionText(permission: string, t: Translate): string {
  if (permission === 'public') return t('form_docs.public');
  if (permission === 'signed-in') return t('form_docs.signed_in');
  return hasText(`permissions.${permission}`) ? t(`permissions.${permission}`) : permission;
}
