import '@xterm/xterm/css/xterm.css';
import { Terminal } from '@xterm/xterm';
import { useEffect, useRef, useState } from 'react';
import { RecordingPage } from '../../engine/remote/RecordingPage.tsx';
import { ReplayControls } from '../../engine/remote/ReplayControls.tsx';
import { useReplayClock, type Replayed } from '../../engine/remote/use-replay-clock.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useStore } from '../../kernel/store.ts';
import { useThemeMode } from '../../kernel/theme/mode.ts';
import { parseCast, parseSize, type Cast } from './asciicast.ts';
import { terminalColors } from './colors.ts';
import { terminalSettings } from './settings.ts';
import styles from './terminal.module.css';

const SPEEDS = ['1', '2', '8'] as const;

/** `/rms-connect/replay?session=…`: a recorded session as it was, with a time line. */
export default function ReplayPage() {
  return (
    <RecordingPage read={async (file) => parseCast(await file.text())} titleOf={({ title }) => title}>
      {(cast) => <Player cast={cast} />}
    </RecordingPage>
  );
}

/** Draws a recording up to a time; goes back by drawing it from its start. */
class Screen implements Replayed {
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

  wait(at: number): number {
    return (this.#cast.events[this.#next]?.at ?? at) - at;
  }
}

function Player({ cast }: { cast: Cast }) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const [screen, setScreen] = useState<Screen>();
  const clock = useReplayClock(screen, cast.seconds);
  const { at } = clock;
  const { colors, fontSize } = useStore(terminalSettings);
  const mode = useThemeMode();

  useEffect(() => {
    const made = new Screen(cast, { fontSize, theme: terminalColors(colors, mode) });
    setScreen(made);
    if (box.current) made.terminal.open(box.current);
    return () => made.terminal.dispose();
    // The place in the time line is drawn below.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [cast]);
  useEffect(() => screen?.show(at), [screen, at]);

  return (
    <div className={styles.replay}>
      <div ref={box} className={styles.screen} role="img" aria-label={t('remote.replay.title')} />
      <ReplayControls {...clock} speeds={SPEEDS} />
    </div>
  );
}
