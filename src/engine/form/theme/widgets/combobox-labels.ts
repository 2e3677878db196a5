import { useMemo } from 'react';
import { useT } from '../../../../kernel/i18n/index.ts';
import type { ComboboxLabels } from '../../../../ui/index.ts';

/** The words of a combobox. */
export function useComboboxLabels(placeholder: string | undefined): ComboboxLabels {
  const t = useT();
  return useMemo(
    () => ({
      placeholder: placeholder || t('form.list.placeholder'),
      clear: t('form.list.clear'),
      remove: (label: string) => t('form.list.remove', { label }),
      loading: t('form.list.loading'),
      empty: t('form.list.empty'),
      failed: t('form.list.failed'),
      retry: t('form.list.retry'),
      more: t('form.list.more'),
      create: (name: string) => t('form.list.create', { name }),
      count: (count: number) => t('form.list.count', { count }),
    }),
    [placeholder, t],
  );
}
