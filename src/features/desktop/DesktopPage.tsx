import { useEffect, useRef, useState } from 'react';
import { Centred, ConnectFrame } from '../../engine/remote/ConnectFrame.tsx';
import { EndNotice } from '../../engine/remote/EndNotice.tsx';
import { EntryPicker } from '../../engine/remote/EntryPicker.tsx';
import { loadPlaceTexts, readPlace, textsOfEntry, type PlaceTexts } from '../../engine/remote/place.ts';
import { QuestionPanel } from '../../engine/remote/QuestionPanel.tsx';
import { useT } from '../../kernel/i18n/index.ts';
import { useStore } from '../../kernel/store.ts';
import { Spinner, StatusMark } from '../../ui/index.ts';
import { ClipboardPanel } from './ClipboardPanel.tsx';
import { DesktopTools } from './DesktopTools.tsx';
import { VncSession } from './vnc-session.ts';
import styles from './desktop.module.css';

const PROTOCOLS = ['vnc', 'rdp'];

/** `/rms-connect/desktop`: a desktop over VNC or RDP. */
export default function DesktopPage() {
  const t = useT();
  const [opened, setOpened] = useState<{ session: VncSession; texts: PlaceTexts }>();
  const [hasClipboard, setClipboard] = useState(false);

  useEffect(() => {
    const place = readPlace(location.search);
    if (!place) return undefined;
    const session = new VncSession(place);
    void loadPlaceTexts(place, t('desktop.title')).then((texts) => setOpened({ session, texts }));
    return () => session.close();
    // Once.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  if (!opened)
    return (
      <ConnectFrame title={t('desktop.title')}>
        {readPlace(location.search) ? (
          <Centred>
            <Spinner />
          </Centred>
        ) : (
          <EntryPicker
            protocols={PROTOCOLS}
            onChoose={(entry) => setOpened({ session: new VncSession({ access: entry.id }), texts: textsOfEntry(entry) })}
          />
        )}
      </ConnectFrame>
    );
  const { session, texts } = opened;
  return (
    <ConnectFrame
      title={texts.name}
      tools={<DesktopTools session={session} name={texts.name} onClipboard={() => setClipboard(!hasClipboard)} />}
      foot={<Facts session={session} detail={texts.detail} />}
    >
      <Screen session={session} name={texts.name} />
      {hasClipboard ? <ClipboardPanel session={session} onClose={() => setClipboard(false)} /> : null}
    </ConnectFrame>
  );
}

function Facts({ session, detail }: { session: VncSession; detail: string }) {
  const t = useT();
  const { phase, isViewOnly, recorded } = useStore(session.state);
  return (
    <>
      <StatusMark kind={phase === 'open' ? 'good' : 'idle'}>{t(`desktop.phase.${phase}`)}</StatusMark>
      <span>{detail}</span>
      {recorded ? <StatusMark kind="warn">{t('remote.recorded')}</StatusMark> : null}
      {isViewOnly ? <StatusMark kind="warn">{t('desktop.view_only')}</StatusMark> : null}
      <span>{t('desktop.leave_hint')}</span>
    </>
  );
}

function Screen({ session, name }: { session: VncSession; name: string }) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const { phase, question, end } = useStore(session.state);
  useEffect(() => {
    if (box.current) session.attach(box.current);
  }, [session]);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      if (!event.ctrlKey || event.key !== 'F6') return;
      event.preventDefault();
      event.stopPropagation();
      session.leave();
      document.querySelector<HTMLElement>('[role="toolbar"] button')?.focus();
    };
    // Before the desktop takes the key.
    addEventListener('keydown', handleKey, true);
    return () => removeEventListener('keydown', handleKey, true);
  }, [session]);
  return (
    <div className={styles.stage}>
      <div ref={box} className={styles.screen} role="application" aria-label={t('desktop.screen', { name })} />
      {phase === 'connecting' ? (
        <div className={styles.over}>
          <p role="status">
            <Spinner /> {t('remote.connecting', { name })}
          </p>
        </div>
      ) : null}
      {phase === 'asking' && question ? (
        <div className={styles.over}>
          <QuestionPanel question={question.question} onAnswer={question.answer} />
        </div>
      ) : null}
      {phase === 'ended' && end ? (
        <div className={styles.over}>
          <EndNotice end={end} onReconnect={() => session.reconnect()} />
        </div>
      ) : null}
    </div>
  );
}
