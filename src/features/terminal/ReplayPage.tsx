import '@xterm/xterm/css/xterm.css';
import { Terminal } from '@xterm/xterm';
import { useEffect, useRef, useState } from 'react';
import { Centred, ConnectFrame } from '../../engine/remote/ConnectFrame.tsx';
import { ReplayControls } from '../../engine/remote/ReplayControls.tsx';
import { useRecording } from '../../engine/remote/use-recording.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useStore } from '../../kernel/store.ts';
import { useThemeMode } from '../../kernel/theme/mode.ts';
import { ErrorState, Spinner } from '../../ui/index.ts';
import { parseCast, parseSize, type Cast } from './asciicast.ts';
import { terminalColors } from './colors.ts';
import { terminalSettings } from './settings.ts';
import styles from './terminal.module.css';

const SPEEDS = ['1', '2', '8'] as const;
const TICK_MS = 50;
/** Waits longer than this are shortened to it. */
const LONGEST_WAIT_SECONDS = 2;

/** `/rms-connect/replay?session=…`: a recorded session as it was, with a time line. */
export default function ReplayPage() {
  const t = useT();
  const { data, error, refetch } = useRecording(async (file) => parseCast(await file.text()));
  return (
    <ConnectFrame title={data?.title || t('remote.replay.title')}>
      {error || data === null ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data ? <Player cast={data} /> : null}
      {data === undefined && !error ? (
        <Centred>
          <Spinner />
        </Centred>
      ) : null}
    </ConnectFrame>
  );
}

/** Draws a recording up to a time; goes back by drawing it from its start. */
class Screen {
  readonly terminal: Terminal;
  readonly #cast: Cast;
  #next = 0;

  constructor(cast: Cast, options: ConstructorParameters<typeof Terminal>[0]) {
    this.#cast = cast;
    this.terminal = new Terminal({ ...options, cols: cast.cols, rows: cast.rows, disableStdin: true, scrollback: 5000 });
  }

  show(at: number): void {
    const { events, cols, rows } = this.#cast;
    const before = events[this.#next - 1];
    if (before && before.at > at) {
      this.terminal.reset();
      this.terminal.resize(cols, rows);
      this.#next = 0;
    }
    for (let event = events[this.#next]; event && event.at <= at; event = events[this.#next]) {
      const size = event.kind === 'r' ? parseSize(event.text) : undefined;
      if (size) this.terminal.resize(size.cols, size.rows);
      else if (event.kind === 'o') this.terminal.write(event.text);
      this.#next += 1;
    }
  }

  /** How many seconds pass until something happens again. */
  wait(at: number): number {
    return (this.#cast.events[this.#next]?.at ?? at) - at;
  }
}

function Player({ cast }: { cast: Cast }) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const screen = useRef<Screen>(undefined);
  const [at, setAt] = useState(0);
  const [isPlaying, setPlaying] = useState(true);
  const [speed, setSpeed] = useState<string>('1');
  const { colors, fontSize } = useStore(terminalSettings);
  const mode = useThemeMode();

  useEffect(() => {
    const made = new Screen(cast, { fontSize, theme: terminalColors(colors, mode) });
    screen.current = made;
    if (box.current) made.terminal.open(box.current);
    return () => made.terminal.dispose();
    // The place in the time line is drawn below.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [cast]);
  useEffect(() => screen.current?.show(at), [at]);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => {
      setAt((before) => {
        const skip = Math.max((screen.current?.wait(before) ?? 0) - LONGEST_WAIT_SECONDS, 0);
        const next = Math.min(before + skip + (TICK_MS / 1000) * Number(speed), cast.seconds);
        if (next >= cast.seconds) setPlaying(false);
        return next;
      });
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [isPlaying, speed, cast]);

  return (
    <div className={styles.replay}>
      <div ref={box} className={styles.screen} role="img" aria-label={t('remote.replay.title')} />
      <ReplayControls
        {...{ at, isPlaying, speed, seconds: cast.seconds, speeds: SPEEDS }}
        onSeek={setAt}
        onPlay={setPlaying}
        onSpeed={setSpeed}
      />
    </div>
  );
}
