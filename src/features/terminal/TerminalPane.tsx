import { useEffect, useRef } from 'react';
import { QuestionPanel } from '../../engine/remote/QuestionPanel.tsx';
import { EndNotice } from '../../engine/remote/EndNotice.tsx';
import { useT } from '../../kernel/i18n/index.ts';
import { useStore } from '../../kernel/store.ts';
import { Spinner, StatusMark, cx } from '../../ui/index.ts';
import type { TerminalSession } from './terminal-session.ts';
import styles from './terminal.module.css';

interface TerminalPaneProps {
  session: TerminalSession;
  isActive: boolean;
  onActivate(): void;
}

/** One terminal, and over it what its session asks or how it ended. */
export function TerminalPane({ session, isActive, onActivate }: TerminalPaneProps) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const { phase, question, end, title } = useStore(session.state);

  useEffect(() => {
    const element = box.current;
    return element ? session.attach(element) : undefined;
  }, [session]);
  useEffect(() => {
    if (isActive && phase === 'open') session.terminal.focus();
  }, [isActive, phase, session]);

  return (
    <section
      className={cx(styles.pane, isActive && styles.active)}
      aria-label={t('terminal.pane', { name: title || session.entry.name })}
      onFocusCapture={onActivate}
      onPointerDownCapture={onActivate}
    >
      <div ref={box} className={styles.screen} />
      {phase === 'connecting' ? (
        <div className={styles.over}>
          <div className={styles.wait} role="status">
            <p>
              <Spinner /> {t('remote.connecting', { name: session.entry.name })}
            </p>
            <p>{t('remote.waiting_hint')}</p>
          </div>
        </div>
      ) : null}
      {phase === 'asking' && question ? (
        <div className={styles.over}>
          <QuestionPanel key={JSON.stringify(question.question)} question={question.question} onAnswer={question.answer} />
        </div>
      ) : null}
      {phase === 'lost' ? (
        <p className={styles.lost} role="status">
          <StatusMark kind="warn">{t('terminal.lost')}</StatusMark>
        </p>
      ) : null}
      {phase === 'ended' && end ? (
        <div className={cx(styles.over, styles.endOver)}>
          <EndNotice end={end} place={session.entry.place} onReconnect={() => session.reconnect()} />
        </div>
      ) : null}
    </section>
  );
}
