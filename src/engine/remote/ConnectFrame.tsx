import type { ReactNode } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { useWindowTitle } from '../../kernel/theme/index.ts';
import styles from './remote.module.css';

interface ConnectFrameProps {
  title: string;
  /** Between the title and the tools, such as tabs. */
  middle?: ReactNode;
  tools?: ReactNode;
  /** Facts about the session in the last line. */
  foot?: ReactNode;
  children: ReactNode;
}

/** A connect page: a bar with tools, the work below it, facts at the end; as high as the window. */
export function ConnectFrame({ title, middle, tools, foot, children }: ConnectFrameProps) {
  const t = useT();
  useWindowTitle(title);
  return (
    <div className={styles.frame}>
      <header className={styles.bar}>
        <h1 className={styles.title}>{title}</h1>
        <div className={styles.middle}>{middle}</div>
        <div className={styles.tools} role="toolbar" aria-label={t('remote.tools')}>
          {tools}
        </div>
      </header>
      <main className={styles.work}>{children}</main>
      <footer className={styles.foot}>{foot}</footer>
    </div>
  );
}

/** What lies in the middle of the work: a question, an end, a wait. */
export function Centred({ children }: { children: ReactNode }) {
  return <div className={styles.centre}>{children}</div>;
}
