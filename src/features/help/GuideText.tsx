/* oxlint-disable react/no-array-index-key -- The parts of a text never change places. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { SmallTable } from '../../ui/index.ts';
import { partsText, type GuideBlock, type GuideInline } from './guide.ts';
import styles from './help.module.css';

/** Blocks of a guide, as elements: nothing of a file is ever read as markup of the page. */
export function GuideText({ blocks, isPlain = false }: { blocks: readonly GuideBlock[]; isPlain?: boolean }) {
  return blocks.map((block, index) =>
    isPlain && block.type === 'text' ? <span key={index}>{inline(block.parts)}</span> : <Block key={index} block={block} />,
  );
}

function Block({ block }: { block: GuideBlock }) {
  switch (block.type) {
    case 'heading': {
      const Heading = block.level <= 2 ? 'h2' : 'h3';
      return (
        <Heading id={block.id} tabIndex={-1} className={styles.heading}>
          {inline(block.parts)}
        </Heading>
      );
    }
    case 'text':
      return <p>{inline(block.parts)}</p>;
    case 'code':
      return (
        <pre className={styles.code}>
          <code>{block.text}</code>
        </pre>
      );
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul';
      return (
        <List className={block.isOrdered ? styles.ordered : styles.list}>
          {block.items.map((item, index) => (
            <li key={index}>{item.length === 1 ? <GuideText blocks={item} isPlain /> : <GuideText blocks={item} />}</li>
          ))}
        </List>
      );
    }
    case 'table':
      return (
        <div className={styles.table}>
          <SmallTable
            columns={block.head.map((title, column) => ({
              key: String(column),
              title: partsText(title),
              render: (row: (typeof block.rows)[number]) => inline(row[column] ?? []),
            }))}
            rows={block.rows}
            keyOf={(row) => block.rows.indexOf(row)}
          />
        </div>
      );
  }
}

function inline(parts: readonly GuideInline[]): ReactNode[] {
  return parts.map((part, index) => {
    if (typeof part === 'string') return part;
    if ('code' in part) return <code key={index}>{part.code}</code>;
    if ('to' in part) return <GuideLink key={index} to={part.to} parts={part.parts} />;
    return part.strong ? <strong key={index}>{inline(part.parts)}</strong> : <em key={index}>{inline(part.parts)}</em>;
  });
}

function GuideLink({ to, parts }: { to: string; parts: readonly GuideInline[] }) {
  if (to.startsWith('/')) return <Link to={to}>{inline(parts)}</Link>;
  const isHere = to.startsWith('#');
  return (
    <a href={to} {...(isHere ? {} : { target: '_blank', rel: 'noopener noreferrer' })}>
      {inline(parts)}
    </a>
  );
}
