import { useT } from '../../kernel/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { NoticePage } from '../start/NoticePage.tsx';

/** Nothing is at this address; inside the shell for a record that is not there, on its own at /404. */
export function NotFoundPage({ isInShell = false }: { isInShell?: boolean }) {
  const t = useT();
  const home = <Button to="/">{t('pages.home')}</Button>;
  if (!isInShell) {
    return (
      <NoticePage icon="search" title={t('pages.notFound.title')} text={t('pages.notFound.text')}>
        {home}
      </NoticePage>
    );
  }
  return (
    <>
      <PageHeader title={t('pages.notFound.title')} />
      <EmptyState icon="search" title={t('pages.notFound.heading')} text={t('pages.notFound.text')} actions={home} />
    </>
  );
}
