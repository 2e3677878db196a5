import { useOne } from '@refinedev/core';
import type { Company } from '../../../schemas/_generated/contract.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, hasText, useT } from '../../kernel/i18n/index.ts';
import { Banner, SmallTable } from '../../ui/index.ts';
import styles from './jobs.module.css';
import type { JobPreview as Preview } from './job-api.ts';

/** What devices are counted by: those that get a file, and those that go to another company. */
const GROUP_COLUMNS = { file: ['model', 'firmware', 'file'], move: ['from', 'tags'] } as const;
type Group = NonNullable<Preview['groups']>[number];

/** What a job would do: on how many devices it runs, which it leaves out and why, what to think about first. */
export function JobPreview({
  kind,
  preview,
  name,
  isInWaves = false,
  companyId,
}: {
  kind: string;
  preview: Preview;
  name?: string;
  isInWaves?: boolean;
  /** Where a move leads. */
  companyId?: number;
}) {
  const t = useT();
  const { will_run: willRun, skipped, warnings, total, groups = [] } = preview;
  const rest = skipped.reduce((sum, { count }) => sum + count, 0);
  const estimate = `jobs.estimate.${kind}`;
  const isMove = companyId !== undefined;
  return (
    <div className={styles.preview}>
      {warnings
        .filter(({ code }) => hasText(`jobs.warning.${code}_other`))
        .map(({ code, params }) => (
          <Banner key={code} kind="warn">
            {t(`jobs.warning.${code}`, params)}
          </Banner>
        ))}
      <p className={styles.willRun}>
        {willRun === 0
          ? t('jobs.will_run_none')
          : willRun === 1 && total === 1 && name !== undefined
            ? t('jobs.will_run_on', { name })
            : t('jobs.will_run', { count: willRun })}
      </p>
      {companyId === undefined ? null : <MoveTarget id={companyId} />}
      {groups.length > 0 ? (
        <SmallTable
          className={styles.groups}
          label={t(isMove ? 'jobs.groups.by_company' : 'jobs.groups.title')}
          rows={groups}
          keyOf={({ group }) => JSON.stringify(group)}
          columns={[
            ...GROUP_COLUMNS[isMove ? 'move' : 'file'].map((key) => ({
              key,
              title: t(`jobs.groups.${key}`),
              render: ({ group }: Group) => group[key] ?? '–',
            })),
            { key: 'count', title: t('jobs.groups.count'), render: ({ count }: Group) => formatNumber(count) },
          ]}
        />
      ) : null}
      {rest > 0 ? (
        <section className={styles.reasons} aria-label={t('jobs.left_out', { count: rest })}>
          <h3>{t('jobs.left_out', { count: rest })}</h3>
          <ul>
            {skipped.map(({ reason, count, sample }) => (
              <li key={reason} className={styles.reason}>
                <span>
                  <strong>{formatNumber(count)}</strong> {hasText(`jobs.why.${reason}`) ? t(`jobs.why.${reason}`) : reason}
                </span>
                <span className={styles.sample}>{sampleLine(sample.map((device) => device.name).filter(Boolean), count, t)}</span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {willRun > 0 && !isInWaves && hasText(estimate) ? <p className={styles.quiet}>{t(estimate)}</p> : null}
    </div>
  );
}

/** Names the company, which its number alone would not. */
function MoveTarget({ id }: { id: number }) {
  const t = useT();
  const { result } = useOne<Company, ApiError>({ resource: 'companies', id, errorNotification: false });
  return result ? <p>{t('jobs.move_to', { company: result.name })}</p> : null;
}

function sampleLine(names: readonly string[], count: number, t: ReturnType<typeof useT>): string {
  const more = count - names.length;
  return more > 0 && names.length > 0 ? t('jobs.sample_more', { names: names.join(', '), count: more }) : names.join(', ');
}
