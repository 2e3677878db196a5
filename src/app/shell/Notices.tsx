import { useEffect, useLayoutEffect, useRef } from 'react';
import { keepAsking } from '../../kernel/back-off.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { api } from '../../kernel/http/index.ts';
import { queryClient } from '../../kernel/queries.ts';
import { useNetwork } from '../../kernel/network.ts';
import { SECOND } from '../../kernel/time/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Banner, Button } from '../../ui/index.ts';
import { FormsNotice } from './FormsNotice.tsx';
import { useIsNewerVersion } from '../start/version.ts';

// Pages are loaded again at most this often.
const LOAD_AGAIN_MS = 5 * SECOND;

/** What concerns every page: no network, no server, a newer console. */
export function Notices() {
  const t = useT();
  const network = useNetwork();
  const isNewer = useIsNewerVersion();
  const before = useRef(network);
  const loadedAt = useRef(0);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (before.current === network) return undefined;
    before.current = network;
    if (network === 'offline') toasts.warning(t('shell.networkLost'));
    if (network !== 'online') return undefined;
    // Where one address is cut off and others answer, the network seems to come and go with every call.
    const refetch = () => {
      loadedAt.current = Date.now();
      void queryClient.refetchQueries({ type: 'active' });
    };
    const timer = setTimeout(refetch, Math.max(0, loadedAt.current + LOAD_AGAIN_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [network, t]);

  useEffect(() => {
    if (network !== 'unreachable') return undefined;
    // Any answer, also a refusal, means that the server is back; the HTTP client then says so.
    return keepAsking(() => api.get('/set-up', { survivesRouteChange: true }).then(() => true));
  }, [network]);

  useLayoutEffect(() => {
    // Lists end at the lower edge of the window, whatever is above them.
    const { style } = document.documentElement;
    // The observer reports the height after the page was laid out: asking for it here would lay it out once more.
    const observer =
      'ResizeObserver' in window ? new ResizeObserver(([entry]) => show(entry?.borderBoxSize[0]?.blockSize ?? 0)) : undefined;
    const show = (height: number) =>
      height === 0 ? style.removeProperty('--notices-height') : style.setProperty('--notices-height', `${height}px`);
    if (box.current) observer?.observe(box.current);
    return () => {
      observer?.disconnect();
      style.removeProperty('--notices-height');
    };
  }, []);

  return (
    <div ref={box}>
      {network === 'offline' ? (
        <Banner kind="warn" isWide>
          {t('http.offline')}
        </Banner>
      ) : null}
      {network === 'unreachable' ? (
        <Banner kind="warn" isWide title={t('shell.unreachable')}>
          {t('shell.unreachableText')}
        </Banner>
      ) : null}
      <FormsNotice />
      {isNewer ? (
        <Banner
          isWide
          actions={
            <Button size="small" onClick={() => location.reload()}>
              {t('pages.reload')}
            </Button>
          }
        >
          {t('shell.newVersion')}
        </Banner>
      ) : null}
    </div>
  );
}
