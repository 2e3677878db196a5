import { useT } from '../../kernel/i18n/index.ts';
import { Button, EmptyState, PageHeader } from '../../ui/index.ts';

/** A page that exists, for a user who may not see it. */
export function NoPermission() {
  const t = useT();
  return (
    <>
      <PageHeader title={t('pages.noPermission.title')} />
      <EmptyState
        icon="lock"
        title={t('pages.noPermission.heading')}
        text={t('pages.noPermission.text')}
        actions={<Button to="/">{t('pages.home')}</Button>}
      />
    </>
  );
}
