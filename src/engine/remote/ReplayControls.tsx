import { useT } from '../../kernel/i18n/index.ts';
import { FieldFrame, IconButton, RangeField, Segmented } from '../../ui/index.ts';
import styles from './remote.module.css';

const clockText = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

interface ReplayControlsProps {
  /** Seconds from the start. */
  at: number;
  seconds: number;
  isPlaying: boolean;
  speed: string;
  speeds: readonly string[];
  onSeek(at: number): void;
  onPlay(isPlaying: boolean): void;
  onSpeed(speed: string): void;
}

/** Play and pause, the time line and the speed of a recording. Playing at its end begins again. */
export function ReplayControls({ at, seconds, isPlaying, speed, speeds, onSeek, onPlay, onSpeed }: ReplayControlsProps) {
  const t = useT();
  const max = Math.max(Math.round(seconds), 1);
  return (
    <div className={styles.replayControls}>
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={t(isPlaying ? 'remote.replay.pause' : 'remote.replay.play')}
        onClick={() => {
          if (at >= seconds) onSeek(0);
          onPlay(!isPlaying);
        }}
      />
      <div className={styles.replayLine}>
        <FieldFrame label={t('remote.replay.time')}>
          {(control) => (
            <RangeField
              {...control}
              value={Math.round(at)}
              min={0}
              max={max}
              step={1}
              format={(shown) => `${clockText(shown)} / ${clockText(max)}`}
              onChange={(chosen) => onSeek(chosen >= max ? seconds : chosen)}
            />
          )}
        </FieldFrame>
      </div>
      <Segmented
        label={t('remote.replay.speed')}
        value={speed}
        options={speeds.map((value) => ({ value, label: `${value}×` }))}
        onChange={onSpeed}
      />
    </div>
  );
}
