import { useT } from '../../kernel/i18n/index.ts';
import { Banner, Button } from '../../ui/index.ts';
import type { FormController } from './use-form-controller.ts';

/** Over a form that was filled with what its user entered before having to sign in again. */
export function DraftNotice({ controller }: { controller: FormController }) {
  const t = useT();
  if (!controller.discardDraft) return null;
  return (
    <Banner
      title={t('drafts.kept')}
      actions={
        <Button size="small" onClick={controller.discardDraft}>
          {t('drafts.discard')}
        </Button>
      }
    >
      {t('drafts.kept_text')}
    </Banner>
  );
}
