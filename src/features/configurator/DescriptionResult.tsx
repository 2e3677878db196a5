import type { ResultViewProps } from '../../engine/form/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, SmallTable } from '../../ui/index.ts';
import styles from './configurator.module.css';

interface Description {
  sections: number;
  /** The first of them. */
  left_out: { at: string; reason: 'nested' | 'list' | 'choice' | 'name' | 'empty' | 'unknown' }[];
  left_out_count: number;
}

/** After an API description was uploaded: how many sections of settings became forms, and what in it did not, with the reason. */
export default function DescriptionResult({ result, close }: ResultViewProps) {
  const t = useT();
  // The answer of this form's route.
  const { sections, left_out: leftOut, left_out_count: count } = result.data as unknown as Description;
  const label = t('configurator.description.left_out', { count });
  return (
    <div className={styles.page}>
      <p role="status">{sections > 0 ? t('configurator.description.sections', { count: sections }) : t('configurator.description.none')}</p>
      {count > 0 ? (
        <>
          <p>{label}</p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A long list scrolls, also by keyboard. */}
          <div role="region" aria-label={label} tabIndex={0} className={styles.leftOut}>
            <SmallTable
              hidesHead
              rows={leftOut}
              keyOf={({ at, reason }) => `${at} ${reason}`}
              columns={[
                { key: 'at', title: t('configurator.description.place'), render: ({ at }) => <code>{at}</code> },
                {
                  key: 'reason',
                  title: t('configurator.description.reason'),
                  render: ({ reason }) => t(`configurator.description.reason.${reason}`),
                },
              ]}
            />
          </div>
          {count > leftOut.length ? (
            <p className={styles.muted}>{t('configurator.description.more', { count: count - leftOut.length })}</p>
          ) : null}
        </>
      ) : null}
      <div className={styles.resultEnd}>
        <Button variant="primary" onClick={close}>
          {t('configurator.description.close')}
        </Button>
      </div>
    </div>
  );
}
