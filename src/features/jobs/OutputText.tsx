import { useEffect, useMemo, useRef } from 'react';
import { JsonView } from '../../engine/json/JsonView.tsx';
import { readJson } from '../../engine/json/read-json.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { plainOutput } from './plain-output.ts';
import styles from './jobs.module.css';

interface OutputTextProps {
  label: string;
  text: string;
  isCut: boolean;
  /** More is coming: the end stays in sight. */
  isGrowing?: boolean;
  id?: string;
}

/** What a command printed; says so when it was cut. JSON is a tree that folds and is searched. */
export function OutputText({ label, text, isCut, isGrowing = false, id }: OutputTextProps) {
  const t = useT();
  const pre = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (isGrowing && pre.current) pre.current.scrollTop = pre.current.scrollHeight;
  });
  const tree = useMemo(() => (isGrowing || isCut ? undefined : readJson(text)), [isGrowing, isCut, text]);
  if (tree)
    return (
      <div id={id} className={styles.output}>
        <JsonView value={tree} label={label} fileName="output" />
      </div>
    );
  return (
    <div id={id} className={styles.output}>
      {/* Scrolls by itself, so the keyboard must reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre ref={pre} tabIndex={0} role="region" aria-label={label}>
        {plainOutput(text)}
      </pre>
      {isCut && !isGrowing ? <p>{t('jobs.output_cut')}</p> : null}
    </div>
  );
}
