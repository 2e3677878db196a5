import { useEffect, useState } from 'react';
import { ConnectFrame, Centred } from '../../engine/remote/ConnectFrame.tsx';
import { EndNotice } from '../../engine/remote/EndNotice.tsx';
import { EntryPicker } from '../../engine/remote/EntryPicker.tsx';
import { loadPlaceTexts, readPlace, textsOfEntry, type PlaceTexts } from '../../engine/remote/place.ts';
import { QuestionPanel } from '../../engine/remote/QuestionPanel.tsx';
import { useT } from '../../kernel/i18n/index.ts';
import { useStore } from '../../kernel/store.ts';
import { Button, IconButton, Spinner, StatusMark } from '../../ui/index.ts';
import { formatBytes } from '../../engine/table/format.ts';
import { FilesSession } from './files-session.ts';
import { FolderPane } from './FolderPane.tsx';
import styles from './remote-files.module.css';

const PROTOCOLS = ['sftp', 'ssh'];

/** `/rms-connect/sftp`: the files of a remote side, in one pane or two. */
export default function FilesPage() {
  const t = useT();
  const [opened, setOpened] = useState<{ session: FilesSession; texts: PlaceTexts }>();
  const [hasTwo, setTwo] = useState(false);

  useEffect(() => {
    const place = readPlace(location.search);
    if (!place) return undefined;
    const session = new FilesSession(place);
    void loadPlaceTexts(place, t('files_remote.title')).then((texts) => setOpened({ session, texts }));
    return () => session.close();
    // Once.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  if (!opened)
    return (
      <ConnectFrame title={t('files_remote.title')}>
        {readPlace(location.search) ? (
          <Centred>
            <Spinner />
          </Centred>
        ) : (
          <EntryPicker
            protocols={PROTOCOLS.slice(0, 1)}
            onChoose={(entry) => setOpened({ session: new FilesSession({ access: entry.id }), texts: textsOfEntry(entry) })}
          />
        )}
      </ConnectFrame>
    );
  const { session, texts } = opened;
  return (
    <ConnectFrame
      title={texts.name}
      tools={<IconButton icon="columns-2" label={t('files_remote.two_panes')} isPressed={hasTwo} onClick={() => setTwo(!hasTwo)} />}
      foot={<Facts session={session} detail={texts.detail} />}
    >
      <Work session={session} name={texts.name} hasTwo={hasTwo} />
    </ConnectFrame>
  );
}

function Facts({ session, detail }: { session: FilesSession; detail: string }) {
  const t = useT();
  const { phase, ways } = useStore(session.state);
  return (
    <>
      <StatusMark kind={phase === 'open' ? 'good' : 'idle'}>{t(`files_remote.phase.${phase}`)}</StatusMark>
      <span>{detail}</span>
      {ways === 'exec' ? <span>{t('files_remote.by_shell')}</span> : null}
    </>
  );
}

function Work({ session, name, hasTwo }: { session: FilesSession; name: string; hasTwo: boolean }) {
  const t = useT();
  const { phase, question, end, home } = useStore(session.state);
  const [changed, setChanged] = useState(0);
  if (phase === 'asking' && question)
    return (
      <Centred>
        <QuestionPanel key={JSON.stringify(question.question)} question={question.question} onAnswer={question.answer} />
      </Centred>
    );
  if (phase === 'ended' && end)
    return (
      <Centred>
        <EndNotice end={end} onReconnect={() => session.reconnect()} />
      </Centred>
    );
  if (phase !== 'open')
    return (
      <Centred>
        <p role="status">
          <Spinner /> {t('remote.connecting', { name })}
        </p>
      </Centred>
    );
  const handleChange = (): void => setChanged((before) => before + 1);
  return (
    <div className={styles.work}>
      <div className={styles.panes}>
        {(hasTwo ? [0, 1] : [0]).map((pane) => (
          <FolderPane
            key={pane}
            session={session}
            start={session.folders.get(pane) ?? home}
            changed={changed}
            onChange={handleChange}
            onPath={(path) => session.folders.set(pane, path)}
          />
        ))}
      </div>
      <Transfers session={session} />
    </div>
  );
}

function Transfers({ session }: { session: FilesSession }) {
  const t = useT();
  const transfers = useStore(session.transfers);
  if (transfers.length === 0) return null;
  return (
    <section className={styles.transfers} aria-label={t('files_remote.transfers')}>
      <header>
        <h2>{t('files_remote.transfers')}</h2>
        <Button size="small" variant="ghost" onClick={() => session.clearTransfers()}>
          {t('files_remote.clear')}
        </Button>
      </header>
      <ul>
        {transfers.slice(-50).map(({ id, name, size, sent, state, fault }) => (
          <li key={id}>
            <span className={styles.name}>{name}</span>
            {state === 'sending' ? <progress value={sent} max={Math.max(size, 1)} aria-label={name} /> : null}
            <span className={styles.state}>
              {fault ? t(`remote.faults.${fault}`) : t(`files_remote.transfer.${state}`)} · {formatBytes(size)}
            </span>
            {state === 'waiting' || state === 'sending' ? (
              <IconButton icon="x" size="small" label={t('files_remote.cancel', { name })} onClick={() => session.cancel(id)} />
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
