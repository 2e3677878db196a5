import { useT } from '../../kernel/i18n/index.ts';
import { EmptyState, PageHeader } from '../../ui/index.ts';

/** For a user who may see nothing at all (docs/behaviour.md section 6). */
export function AccessDeniedPage() {
  const t = useT();
  return (
    <>
      <PageHeader title={t('pages.denied.title')} />
      <EmptyState icon="lock" title={t('pages.denied.heading')} text={t('pages.denied.text')} />
    </>
  );
}
