import { useEffect, useRef, useState } from 'react';
import { RecordingPage } from '../../engine/remote/RecordingPage.tsx';
import { ReplayControls } from '../../engine/remote/ReplayControls.tsx';
import { useReplayClock } from '../../engine/remote/use-replay-clock.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useStore } from '../../kernel/store.ts';
import { StatusMark } from '../../ui/index.ts';
import { DesktopReplay } from './desktop-replay.ts';
import { parseFramebufferStream, type FramebufferStream } from './framebuffer-stream.ts';
import styles from './desktop.module.css';

const SPEEDS = ['1', '2', '4', '8'] as const;

/** `/rms-connect/replay-desktop?session=…`: a recorded desktop as it was, with a time line. */
export default function ReplayPage() {
  return (
    <RecordingPage read={async (file) => parseFramebufferStream(await file.arrayBuffer())}>
      {(stream) => <Player stream={stream} />}
    </RecordingPage>
  );
}

function Player({ stream }: { stream: FramebufferStream }) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const [replay, setReplay] = useState<DesktopReplay>();
  const clock = useReplayClock(replay, stream.seconds);
  const { at } = clock;
  useEffect(() => {
    if (!box.current) return undefined;
    const made = new DesktopReplay(stream, box.current);
    setReplay(made);
    return () => made.close();
  }, [stream]);
  useEffect(() => replay?.show(at), [replay, at]);
  return (
    <div className={styles.replay}>
      <div className={styles.stage}>
        <div ref={box} className={styles.screen} role="img" aria-label={t('remote.replay.title')} />
        <p className={styles.note} role="status">
          {replay ? <Note replay={replay} isAtLimit={stream.isFull && at >= stream.seconds} /> : null}
        </p>
      </div>
      <ReplayControls {...clock} speeds={SPEEDS} />
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
