import { memo, useId, useState } from 'react';
import { Link } from 'react-router';
import { useT } from '../../kernel/i18n/index.ts';
import { Checkbox, IconButton, StatusMark } from '../../ui/index.ts';
import { OutputText } from './OutputText.tsx';
import { firstLine } from './plain-output.ts';
import { groupOf, isRetryable } from './progress.ts';
import { MARKS, stateWord, targetWords } from './target-words.ts';
import { TargetSteps } from './TargetSteps.tsx';
import styles from './jobs.module.css';
import type { JobTarget } from './job-api.ts';

interface TargetRowProps {
  target: JobTarget;
  kind: string;
  isInWaves: boolean;
  isWaiting: boolean;
  /** Unix milliseconds; changes each second for targets that are under way only. */
  now: number;
  lastSeen: number | undefined;
  /** The job is over: targets can be chosen for a retry. */
  canSelect: boolean;
  isSelected: boolean;
  /** The only device of its job: what it prints is open from the start. */
  isOnly: boolean;
  onSelect: (id: number, isSelected: boolean) => void;
  /** Somebody goes to the page of the device. */
  onLeave?: () => void;
}

/** One device of a job: state, name, what happened; what it printed unfolds below. */
export const TargetRow = memo(function TargetRow({
  target,
  kind,
  isInWaves,
  isWaiting,
  now,
  lastSeen,
  canSelect,
  isSelected,
  isOnly,
  onSelect,
  onLeave,
}: TargetRowProps) {
  const t = useT();
  const outputId = useId();
  const [isOpen, setOpen] = useState(isOnly);
  const { id, device_name: name, output, truncated } = target;
  const hasSteps = target.steps > 1 && target.started_at !== null;
  const hasMore = hasSteps || Boolean(output);
  return (
    <li className={styles.target} data-selectable={canSelect || undefined}>
      {canSelect ? (
        <span className={styles.pick}>
          {isRetryable(target.state) ? (
            <Checkbox
              checked={isSelected}
              aria-label={t('jobs.select', { name })}
              onChange={(event) => onSelect(id, event.target.checked)}
            />
          ) : null}
        </span>
      ) : null}
      <span className={styles.state}>
        <StatusMark kind={MARKS[groupOf(target.state)]}>{stateWord(target.state)}</StatusMark>
      </span>
      <span className={styles.device}>
        {target.device_id === null ? (
          name
        ) : (
          <Link to={`/devices/${target.device_id}`} onClick={(event) => event.ctrlKey || event.metaKey || event.shiftKey || onLeave?.()}>
            {name}
          </Link>
        )}
      </span>
      <span className={styles.words}>
        {[
          targetWords(target, { kind, now, lastSeen, isPast: canSelect, isInWaves, isWaiting }),
          isOpen || hasSteps ? '' : firstLine(output),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      {hasMore ? (
        <IconButton
          className={styles.tool}
          icon={isOpen ? 'chevron-up' : 'chevron-down'}
          size="small"
          label={t(isOpen ? 'jobs.hide_output' : 'jobs.show_output', { name })}
          aria-expanded={isOpen}
          aria-controls={isOpen ? outputId : undefined}
          onClick={() => setOpen(!isOpen)}
        />
      ) : null}
      {isOpen && hasSteps ? (
        <div id={outputId} className={styles.output}>
          <TargetSteps target={target} />
        </div>
      ) : null}
      {isOpen && output && !hasSteps ? (
        <OutputText
          id={outputId}
          label={t('jobs.output_of', { name })}
          text={output}
          isCut={truncated}
          isGrowing={target.state === 'running'}
        />
      ) : null}
    </li>
  );
});
