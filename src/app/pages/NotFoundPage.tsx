import { useT } from '../../kernel/i18n/index.ts';
import { Button, NothingHere } from '../../ui/index.ts';
import { NoticePage } from '../start/NoticePage.tsx';

/** Nothing is at this address; inside the shell for a record that is not there, on its own at /404. */
export function NotFoundPage({ isInShell = false }: { isInShell?: boolean }) {
  const t = useT();
  if (isInShell) return <NothingHere />;
  return (
    <NoticePage icon="search" title={t('pages.notFound.title')} text={t('pages.notFound.text')}>
      <Button to="/">{t('pages.home')}</Button>
    </NoticePage>
  );
}
