import { useT } from '../../kernel/i18n/index.ts';
import { Button } from '../../ui/index.ts';
import { NoticePage } from '../start/NoticePage.tsx';

/** The console itself broke: the only way on is to load it again. */
export function RouteErrorPage() {
  const t = useT();
  return (
    <NoticePage icon="triangle-alert" title={t('pages.broken.title')} text={t('pages.broken.text')}>
      <Button variant="primary" icon="refresh-cw" onClick={() => location.reload()}>
        {t('pages.reload')}
      </Button>
    </NoticePage>
  );
}
