import { type ReactNode } from 'react';
import { useWindowTitle } from '../../kernel/theme/index.ts';
import { Brand, Icon, type IconName } from '../../ui/index.ts';
import styles from './NoticePage.module.css';

interface NoticePageProps {
  icon: IconName;
  title: string;
  text: string;
  /** What exactly happened, quieter. */
  detail?: string;
  /** What can be done about it here. */
  body?: ReactNode;
  /** The ways on. */
  children?: ReactNode;
}

/** A page with one message, in place of the console. */
export function NoticePage({ icon, title, text, detail, body, children }: NoticePageProps) {
  useWindowTitle(title);
  return (
    <div className={styles.page}>
      <header>
        <Brand />
      </header>
      <main className={styles.notice}>
        <span className={styles.icon}>
          <Icon name={icon} size={24} />
        </span>
        <h1>{title}</h1>
        <p className={styles.text}>{text}</p>
        {detail ? <p className={styles.detail}>{detail}</p> : null}
        {body}
        {children ? <div className={styles.actions}>{children}</div> : null}
      </main>
    </div>
  );
}
