import type { Dashboard } from '../../../../schemas/_generated/contract.ts';
import type { Widget } from '../../../../schemas/kit/resources/dashboards.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import { Banner, Button } from '../../../ui/index.ts';
import { countChanged } from './merge-widgets.ts';

export interface Conflict {
  /** The dashboard as somebody else saved it. */
  theirs: Dashboard;
  /** As it was when the edit began. */
  base: readonly Widget[];
}

interface EditConflictProps extends Conflict {
  mine: readonly Widget[];
  isBusy: boolean;
  onMerge(): void;
  onReplace(): void;
  onCopy(): void;
  onDiscard(): void;
}

/** Somebody else saved the dashboard during an edit: what happened, and the ways on. The edit stays until one is chosen. */
export function EditConflict({ theirs, base, mine, isBusy, onMerge, onReplace, onCopy, onDiscard }: EditConflictProps) {
  const t = useT();
  const saved = JSON.parse(theirs.widgets) as Widget[];
  return (
    <Banner
      kind="warn"
      title={t('dashboards.conflict', { user: theirs.user_name })}
      actions={
        <>
          <Button variant="primary" isBusy={isBusy} onClick={onMerge}>
            {t('dashboards.conflict.merge')}
          </Button>
          <Button isBusy={isBusy} onClick={onReplace}>
            {t('dashboards.conflict.replace')}
          </Button>
          <Button isBusy={isBusy} onClick={onCopy}>
            {t('dashboards.conflict.copy')}
          </Button>
          <Button onClick={onDiscard}>{t('dashboards.conflict.discard')}</Button>
        </>
      }
    >
      {t('dashboards.conflict.text', { theirs: countChanged(base, saved), mine: countChanged(base, mine) })}
    </Banner>
  );
}
