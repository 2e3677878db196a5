import Breadcrumb from 'antd/es/breadcrumb';
import { type ReactNode } from 'react';
import { useT } from '../kernel/i18n/index.ts';
import { useWindowTitle } from '../kernel/theme/index.ts';
import { cx } from './cx.ts';
import { HelpLink, type Help } from './HelpLink.tsx';
import styles from './PageHeader.module.css';

interface PageHeaderProps {
  title: string;
  /** Quiet words after the title: counts, where one is. */
  subtitle?: ReactNode;
  /** On a phone the quiet words stay on the title's line and are cut there. */
  isSubtitleCut?: boolean;
  /** Where this page hangs: links to the pages above, the uppermost first. */
  breadcrumb?: readonly ReactNode[];
  help?: Help;
  actions?: ReactNode;
}

/** The head of a page: its one `h1`, which also names the window, and what can be done here. */
export function PageHeader({ title, subtitle, isSubtitleCut = false, breadcrumb, help, actions }: PageHeaderProps) {
  const t = useT();
  useWindowTitle(title);
  return (
    <div className={styles.header}>
      <div className={styles.texts}>
        {breadcrumb && breadcrumb.length > 0 ? (
          <Breadcrumb aria-label={t('common.pagesAbove')} items={breadcrumb.map((page, index) => ({ key: index, title: page }))} />
        ) : null}
        <div className={styles.titles}>
          <h1>{title}</h1>
          {subtitle ? <div className={cx(styles.subtitle, isSubtitleCut && styles.cut)}>{subtitle}</div> : null}
          {help ? <HelpLink {...help} /> : null}
        </div>
      </div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </div>
  );
}
