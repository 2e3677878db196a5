import type { I18nProvider, NotificationProvider } from '@refinedev/core';
import { changeLanguage, currentLanguage, hasText, LANGUAGES, translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';

/** Refine's texts from ours; where we have none, Refine's own default stands. */
export const i18nProvider: I18nProvider = {
  translate: (key: string, options?: unknown, fallback?: string) => {
    if (hasText(key)) return translate(key, typeof options === 'object' && options !== null ? { ...options } : {});
    return fallback ?? (typeof options === 'string' ? options : key);
  },
  changeLocale: async (locale: string) => {
    const language = LANGUAGES.find(({ code }) => code === locale);
    if (language) await changeLanguage(language.code);
  },
  getLocale: currentLanguage,
};

const shown = new Map<string, number>();

/** Refine's notifications as toasts. */
export const notificationProvider: NotificationProvider = {
  open({ key, message, description, type, cancelMutation }) {
    const id = toasts.show({
      message: description ? `${description}: ${message}` : message,
      type: type === 'progress' ? 'info' : type,
      ...(cancelMutation ? { action: { label: translate('common.undo'), run: cancelMutation } } : {}),
    });
    if (key) shown.set(key, id);
  },
  close(key) {
    const id = shown.get(key);
    if (id !== undefined) toasts.close(id);
    shown.delete(key);
  },
};
