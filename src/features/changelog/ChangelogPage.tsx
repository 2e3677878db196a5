import { releases } from 'virtual:canopy-changelog';
import { useEffect, useState, type ReactNode } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { settings } from '../../kernel/settings/index.ts';
import { Card, PageHeader } from '../../ui/index.ts';
import styles from './changelog.module.css';

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

interface Release {
  readonly groups: readonly { readonly items: readonly string[] }[];
}

/** More than this is never shown at once; the setting must stay small. */
const MOST_KEPT = 500;

/** A short mark of an item's text, the same in every browser. */
export function markOf(text: string): string {
  // FNV-1a in 32 bits.
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** The marks of all items of these releases. */
export function marksOf(releases: readonly Release[]): string[] {
  return releases.flatMap(({ groups }) => groups.flatMap(({ items }) => items.map(markOf))).slice(0, MOST_KEPT);
}

/** The marks of items that were not there at the last visit; none at the first, when everything would be new. */
export function newMarks(releases: readonly Release[], kept: unknown): ReadonlySet<string> {
  if (!Array.isArray(kept)) return new Set();
  const seen = new Set(kept);
  return new Set(marksOf(releases).filter((mark) => !seen.has(mark)));
}
