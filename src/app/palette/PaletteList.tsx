import { Command as CommandMenu } from 'cmdk';
import { useT } from '../../kernel/i18n/index.ts';
import { Icon, Spinner } from '../../ui/index.ts';
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
  groups: readonly PaletteGroup[];
  isSearching: boolean;
  /** Shown when there is nothing to choose. */
  nothing: string;
  onRun(command: Command, isNewTab: boolean): void;
}

/** The list below the palette's box. The focus stays in the box; the list only shows and takes clicks. */
export function PaletteList({ groups, isSearching, nothing, onRun }: PaletteListProps) {
  const t = useT();
  return (
    <div className={styles.results}>
      <CommandMenu.List label={t('search.results')}>
        {groups.map((group) => (
          <CommandMenu.Group
            key={group.id}
            heading={<GroupHeading id={`palette-${group.id}`} title={t(group.title)} total={group.total} />}
          >
            {group.commands.map((command) => (
              <CommandMenu.Item
                key={command.id}
                asChild
                value={command.id}
                className={styles.option}
                // The focus stays in the box.
                onMouseDown={(event) => event.preventDefault()}
                onClickCapture={(event) => {
                  if (!event.ctrlKey && !event.metaKey) return;
                  event.stopPropagation();
                  onRun(command, true);
                }}
                onSelect={() => onRun(command, false)}
              >
                {/* An id of ours: of its own, cmdk learns the chosen one too late when the list changes by itself. */}
                <div id={command.id}>
                  <Icon name={command.icon} size={15} />
                  <span className={styles.label}>{command.label}</span>
                  {command.detail ? <span className={styles.detail}>{command.detail}</span> : null}
                </div>
              </CommandMenu.Item>
            ))}
          </CommandMenu.Group>
        ))}
      </CommandMenu.List>
      {isSearching ? (
        <div className={styles.note}>
          <Spinner size={14} label={t('search.searching')} />
        </div>
      ) : groups.length === 0 ? (
        <div className={styles.note}>{nothing}</div>
      ) : null}
    </div>
  );
}
