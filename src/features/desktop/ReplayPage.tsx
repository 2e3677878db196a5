import { useEffect, useRef, useState } from 'react';
import { Centred, ConnectFrame } from '../../engine/remote/ConnectFrame.tsx';
import { ReplayControls } from '../../engine/remote/ReplayControls.tsx';
import { useRecording } from '../../engine/remote/use-recording.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useStore } from '../../kernel/store.ts';
import { ErrorState, Spinner, StatusMark } from '../../ui/index.ts';
import { DesktopReplay } from './desktop-replay.ts';
import { parseFramebufferStream, type FramebufferStream } from './framebuffer-stream.ts';
import styles from './desktop.module.css';

const SPEEDS = ['1', '2', '4', '8'] as const;
const TICK_MS = 50;
/** Waits longer than this are shortened to it. */
const LONGEST_WAIT_SECONDS = 2;

/** `/rms-connect/replay-desktop?session=…`: a recorded desktop as it was, with a time line. */
export default function ReplayPage() {
  const t = useT();
  const { data, error, refetch } = useRecording(async (file) => parseFramebufferStream(await file.arrayBuffer()));
  return (
    <ConnectFrame title={t('remote.replay.title')}>
      {error || data === null ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data ? <Player stream={data} /> : null}
      {data === undefined && !error ? (
        <Centred>
          <Spinner />
        </Centred>
      ) : null}
    </ConnectFrame>
  );
}

function Player({ stream }: { stream: FramebufferStream }) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const [replay, setReplay] = useState<DesktopReplay>();
  const [at, setAt] = useState(0);
  const [isPlaying, setPlaying] = useState(true);
  const [speed, setSpeed] = useState<string>('1');

  useEffect(() => {
    if (!box.current) return undefined;
    const made = new DesktopReplay(stream, box.current);
    setReplay(made);
    return () => made.close();
  }, [stream]);
  useEffect(() => replay?.show(at), [replay, at]);
  useEffect(() => {
    if (!isPlaying || !replay) return undefined;
    const timer = setInterval(() => {
      // Time stands still until the picture is there.
      if (replay.state.get().isBehind) return;
      setAt((before) => {
        const skip = Math.max(replay.wait(before) - LONGEST_WAIT_SECONDS, 0);
        const next = Math.min(before + skip + (TICK_MS / 1000) * Number(speed), stream.seconds);
        if (next >= stream.seconds) setPlaying(false);
        return next;
      });
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [isPlaying, speed, replay, stream]);

  return (
    <div className={styles.replay}>
      <div className={styles.stage}>
        <div ref={box} className={styles.screen} role="img" aria-label={t('remote.replay.title')} />
        <p className={styles.note} role="status">
          {replay ? <Note replay={replay} isAtLimit={stream.isFull && at >= stream.seconds} /> : null}
        </p>
      </div>
      <ReplayControls
        {...{ at, isPlaying, speed, seconds: stream.seconds, speeds: SPEEDS }}
        onSeek={setAt}
        onPlay={setPlaying}
        onSpeed={setSpeed}
      />
    </div>
  );
}

function Note({ replay, isAtLimit }: { replay: DesktopReplay; isAtLimit: boolean }) {
  const t = useT();
  const { isBehind, hasFailed } = useStore(replay.state);
  if (hasFailed) return <StatusMark kind="bad">{t('remote.replay.failed')}</StatusMark>;
  if (isBehind) return <StatusMark kind="idle">{t('remote.replay.seeking')}</StatusMark>;
  return isAtLimit ? <StatusMark kind="warn">{t('remote.replay.full')}</StatusMark> : null;
}
