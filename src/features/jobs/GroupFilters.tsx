import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { PressArea } from '../../ui/index.ts';
import { GROUPS } from './progress.ts';
import styles from './jobs.module.css';
import type { TargetGroup } from './progress.ts';

interface GroupFiltersProps {
  counts: Readonly<Record<TargetGroup, number>>;
  chosen: TargetGroup | undefined;
  onChoose: (group: TargetGroup | undefined) => void;
}

/** The counts; each is a filter, pressed again it lets go. Groups without targets are left out, but for the chosen one. */
export function GroupFilters({ counts, chosen, onChoose }: GroupFiltersProps) {
  const t = useT();
  return (
    <div className={styles.counts} role="group" aria-label={t('jobs.filter')}>
      {GROUPS.filter((group) => counts[group] > 0 || group === 'done' || group === chosen).map((group) => (
        <PressArea
          key={group}
          className={styles.count}
          data-group={group}
          isPressed={group === chosen}
          onClick={() => onChoose(group === chosen ? undefined : group)}
        >
          <strong>{formatNumber(counts[group])}</strong> {t(`jobs.group.${group}`, { count: counts[group] })}
        </PressArea>
      ))}
    </div>
  );
}
