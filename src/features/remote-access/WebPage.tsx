import { useEffect, useState } from 'react';
import { Centred, ConnectFrame } from '../../engine/remote/ConnectFrame.tsx';
import { EndNotice, type SessionEnd } from '../../engine/remote/EndNotice.tsx';
import { loadPlaceTexts, readPlace } from '../../engine/remote/place.ts';
import { beginRemote } from '../../engine/remote/remote-socket.ts';
import { endOfFailure } from '../../engine/remote/terms.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Spinner } from '../../ui/index.ts';

/** `/rms-connect/web`: says what the session will use, then leads on to the web page of a device or behind it. */
export default function WebPage() {
  const t = useT();
  const [place] = useState(() => readPlace(location.search));
  const [name, setName] = useState(t('remote-access.web_page'));
  const [end, setEnd] = useState<SessionEnd>();
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let isLeft = false;
    if (!place) return undefined;
    void loadPlaceTexts(place, t('remote-access.web_page')).then((texts) => isLeft || setName(texts.name));
    beginRemote(place).then(
      ({ url }) => {
        // Not kept in the history of the tab: going back would open another session.
        if (!isLeft) location.replace(url);
      },
      (error: unknown) => isLeft || setEnd(endOfFailure(error)),
    );
    return () => {
      isLeft = true;
    };
    // For each attempt.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [attempt]);

  return (
    <ConnectFrame title={name}>
      <Centred>
        {end || !place ? (
          <EndNotice
            end={end ?? { reason: 'unreachable' }}
            {...(place ? { place } : {})}
            onReconnect={() => {
              setEnd(undefined);
              setAttempt((before) => before + 1);
            }}
          />
        ) : (
          <p role="status">
            <Spinner /> {t('remote.connecting', { name })}
          </p>
        )}
      </Centred>
    </ConnectFrame>
  );
}
