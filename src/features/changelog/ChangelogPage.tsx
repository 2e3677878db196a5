import { releases } from 'virtual:canopy-changelog';
import { useEffect, useState, type ReactNode } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { settings } from '../../kernel/settings/index.ts';
import { Card, PageHeader } from '../../ui/index.ts';
import styles from './changelog.module.css';
import { markOf, marksOf, newMarks } from './seen-items.ts';

const SETTING = 'changelog_seen';

/** What changed, by version; what came since the last visit is marked. */
export default function ChangelogPage() {
  const t = useT();
  const [news] = useState(() => newMarks(releases, settings.get(SETTING)));

  useEffect(() => {
    const marks = marksOf(releases);
    // A mark that cannot be kept shows once more.
    if (JSON.stringify(settings.get(SETTING)) !== JSON.stringify(marks)) settings.set(SETTING, marks).catch(() => undefined);
  }, []);
  return (
    <>
      <PageHeader title={t('changelog.title')} />
      <p className={styles.version}>{t('changelog.running', { version: __APP_VERSION__ })}</p>
      <div className={styles.releases}>
        {releases.map((release) => (
          <Card key={release.version} title={release.version}>
            {release.groups.map(({ name, items }) => (
              <section key={name} lang="en">
                {name === '' ? null : <h3 className={styles.group}>{name}</h3>}
                <ul className={styles.items}>
                  {items.map((item) => (
                    <li key={item}>
                      {news.has(markOf(item)) ? (
                        <span lang={undefined} className={styles.new}>
                          {t('changelog.new')}
                        </span>
                      ) : null}
                      {withCode(item)}
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </Card>
        ))}
      </div>
    </>
  );
}

/** The text with what is between backticks as code; everything else is text. */
function withCode(text: string): ReactNode[] {
  // oxlint-disable-next-line react/no-array-index-key -- The parts of a text never change places.
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
