import { guides } from 'virtual:canopy-help';
import { useEffect, useMemo } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'react-router';
import { useLanguage, useT } from '../../kernel/i18n/index.ts';
import { Card, cx, EmptyState, PageHeader, SearchInput } from '../../ui/index.ts';
import { excerptOf, GUIDE_GROUPS, searchGuides, type Guide } from './guide.ts';
import { GuideText } from './GuideText.tsx';
import styles from './help.module.css';

/** `/help` and `/help/<guide>`: the documentation of this version, searched in the browser. */
export default function HelpPage() {
  const t = useT();
  const language = useLanguage();
  const { guide: id } = useParams();
  const [params, setParams] = useSearchParams();
  const query = params.get('q') ?? '';
  const guide = guides.find((one) => one.id === id);
  const handleSearch = (text: string) => setParams(text === '' ? {} : { q: text }, { replace: true });
  return (
    <>
      <PageHeader
        title={guide && query === '' ? guide.title : t('help.title')}
        breadcrumb={
          guide
            ? [
                <Link key="help" to="/help">
                  {t('help.title')}
                </Link>,
              ]
            : undefined
        }
      />
      <div className={styles.page}>
        <aside className={styles.side}>
          <SearchInput label={t('help.search')} value={query} onChange={handleSearch} />
          <GuideList current={guide?.id} />
        </aside>
        <div className={styles.main}>
          {language === 'en' ? null : <p className={styles.note}>{t('help.english')}</p>}
          {query !== '' ? (
            <Hits query={query} />
          ) : guide ? (
            <OneGuide key={guide.id} guide={guide} />
          ) : (
            <Start isUnknown={id !== undefined} />
          )}
        </div>
      </div>
    </>
  );
}

function GuideList({ current }: { current: string | undefined }) {
  const t = useT();
  return (
    <nav aria-label={t('help.guides')} className={styles.guides}>
      {GUIDE_GROUPS.map((group) => (
        <section key={group}>
          <h2 className={styles.group}>{t(`help.group.${group}`)}</h2>
          <ul>
            {guides
              .filter((guide) => guide.group === group)
              .map((guide) => (
                <li key={guide.id} lang="en">
                  <Link
                    to={`/help/${guide.id}`}
                    className={cx(styles.guide, guide.id === current && styles.current)}
                    aria-current={guide.id === current ? 'page' : undefined}
                  >
                    {guide.title}
                  </Link>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function Start({ isUnknown }: { isUnknown: boolean }) {
  const t = useT();
  const first = guides.find(({ id }) => id === 'start');
  if (isUnknown) return <EmptyState icon="file" title={t('help.unknown')} text={t('help.unknown.text')} />;
  return first ? <OneGuide guide={first} /> : null;
}

/** A guide with its list of headings; the address can name one of them. */
function OneGuide({ guide }: { guide: Guide }) {
  const t = useT();
  const { hash } = useLocation();
  useEffect(() => {
    const target = hash.length > 1 ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
    target?.scrollIntoView({ block: 'start' });
    target?.focus({ preventScroll: true });
  }, [hash]);
  const headings = guide.blocks.filter((block) => block.type === 'heading' && block.level === 2);
  return (
    <Card>
      <article lang="en" className={styles.text}>
        {headings.length > 3 ? (
          <nav aria-label={t('help.onThisPage')} className={styles.contents}>
            {headings.map((block) =>
              block.type === 'heading' ? (
                <a key={block.id} href={`#${block.id}`}>
                  <GuideText blocks={[{ type: 'text', parts: block.parts }]} isPlain />
                </a>
              ) : null,
            )}
          </nav>
        ) : null}
        <GuideText blocks={guide.blocks} />
      </article>
    </Card>
  );
}

function Hits({ query }: { query: string }) {
  const t = useT();
  const hits = useMemo(() => searchGuides(guides, query), [query]);
  if (hits.length === 0) return <EmptyState icon="search" title={t('help.nothing')} text={t('help.nothing.text')} />;
  return (
    <Card title={t('help.found', { count: hits.length })} isFlush>
      <ul className={styles.hits} lang="en">
        {hits.map(({ guide, id, title, text }) => (
          <li key={`${guide.id}#${id ?? ''}`}>
            <Link to={`/help/${guide.id}${id === undefined ? '' : `#${id}`}`} className={styles.hit}>
              <span className={styles.hitTitle}>{title === guide.title ? title : `${guide.title} › ${title}`}</span>
              <span className={styles.excerpt}>{excerptOf(text, query)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
