import { useT } from '../../kernel/i18n/index.ts';
import { cx } from '../../ui/cx.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { GroupHeading } from '../shell/GroupHeading.tsx';
import type { Command } from './commands.ts';
import styles from './palette.module.css';

export interface PaletteGroup {
  id: string;
  /** i18n key. */
  title: string;
  /** How many there are in all, for records. */
  total?: number;
  commands: readonly Command[];
}

interface PaletteListProps {
  id: string;
  groups: readonly PaletteGroup[];
  active: string | undefined;
  isSearching: boolean;
  /** What stands there when there is nothing to choose. */
  nothing: string;
  onRun(command: Command, isNewTab: boolean): void;
  onPoint(id: string): void;
}

/** The list below the palette's box. The focus stays in the box; the list only shows and takes clicks. */
export function PaletteList({ id, groups, active, isSearching, nothing, onRun, onPoint }: PaletteListProps) {
  const t = useT();
  return (
    <div className={styles.results}>
      <div id={id} role="listbox" aria-label={t('search.results')}>
        {groups.map((group) => (
          <div key={group.id} role="group" aria-labelledby={`palette-${group.id}`}>
            <GroupHeading id={`palette-${group.id}`} title={t(group.title)} total={group.total} />
            {group.commands.map((command) => (
              <button
                key={command.id}
                id={command.id}
                type="button"
                role="option"
                tabIndex={-1}
                aria-selected={command.id === active}
                className={cx(styles.option, command.id === active && styles.active)}
                onPointerMove={() => onPoint(command.id)}
                onClick={(event) => onRun(command, event.ctrlKey || event.metaKey)}
              >
                <Icon name={command.icon} size={15} />
                <span className={styles.label}>{command.label}</span>
                {command.detail ? <span className={styles.detail}>{command.detail}</span> : null}
              </button>
            ))}
          </div>
        ))}
      </div>
      {isSearching ? (
        <p className={styles.note}>
          <Spinner size={14} label={t('search.searching')} />
        </p>
      ) : groups.length === 0 ? (
        <p className={styles.note}>{nothing}</p>
      ) : null}
    </div>
  );
}
