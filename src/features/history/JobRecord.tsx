import { Link } from 'react-router';
import type { Change } from '../../../schemas/_generated/contract.ts';
import { formatNumber, hasText, useT, type Translate } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import styles from './history.module.css';

const STATES = ['ok', 'failed', 'skipped', 'timed-out', 'cancelled'] as const;

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {});

const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.map(membersOf) : []);
const MOST_CHANGES = 20;

/** What a change of settings sets, the same on several devices once: `network/interfaces · lan · mtu: 1500 → 1400`. */
function changesOf(value: unknown): string[] {
  const said = (side: unknown): string => (side === null || side === undefined ? '–' : [side].flat().join(', '));
  const lines = listOf(value).flatMap(({ differences }) =>
    listOf(differences).map(
      ({ section, item, option, before, after }) =>
        `${[section, item, option].filter(Boolean).join(' · ')}: ${said(before)} → ${said(after)}`,
    ),
  );
  return [...new Set(lines)].slice(0, MOST_CHANGES);
}

/** The parameters of a job, by name; numbers of records, and commands as devices get them, say nothing to people. */
function parametersOf(t: Translate, input: unknown): string[] {
  return Object.entries(membersOf(input)).flatMap(([name, value]) => {
    if (value === null || value === undefined || name.endsWith('_id') || name === 'bodies') return [];
    if (name === 'changes') return changesOf(value);
    const label = hasText(`fields.${name}`) ? t(`fields.${name}`) : name;
    return [`${label}: ${typeof value === 'string' ? value : JSON.stringify(value)}`];
  });
}

/** How many devices ended in which way, in words; empty before the end. */
function outcomeOf(t: Translate, counts: unknown): string {
  const found = membersOf(counts);
  return STATES.flatMap((state) => {
    const count = found[state];
    return typeof count === 'number' && count > 0 ? [`${t(`values.job_target.state.${state}`)}: ${formatNumber(count)}`] : [];
  }).join(' · ');
}

/** What the history keeps of a job: its parameters, the number of its devices and their results, and the way to each of them. */
export function JobRecord({ change, onLeave }: { change: Change; onLeave: () => void }) {
  const t = useT();
  const can = useCan();
  const { reason, input, total, counts, targets, results } = membersOf(change.after);
  const texts = [
    { label: t('fields.reason'), lines: typeof reason === 'string' ? [reason] : [] },
    { label: t('history.job.total'), lines: typeof total === 'number' ? [formatNumber(total)] : [] },
    { label: t('history.job.parameters'), lines: parametersOf(t, input) },
    { label: t('history.job.outcome'), lines: [outcomeOf(t, counts)].filter(Boolean) },
  ].filter(({ lines }) => lines.length > 0);
  const hashes = [
    { label: t('history.job.targets'), hash: targets },
    { label: t('history.job.results'), hash: results },
  ].filter(({ hash }) => typeof hash === 'string');
  return (
    <>
      <dl className={styles.job}>
        {texts.map(({ label, lines }) => (
          <div key={label}>
            <dt>{label}</dt>
            {lines.map((line) => (
              <dd key={line}>{line}</dd>
            ))}
          </div>
        ))}
        {hashes.map(({ label, hash }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <code>{String(hash)}</code>
            </dd>
          </div>
        ))}
      </dl>
      {can('view_device_actions') && change.entity_id !== null ? (
        <p>
          <Link to={`/jobs/${change.entity_id}`} onClick={onLeave}>
            {t('history.job.open')}
          </Link>
        </p>
      ) : null}
    </>
  );
}
