import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { lookOf } from './extensions.ts';
import styles from './editor.module.css';

/** What changed from one text to another: lines that went in red, lines that came in green, the same ones folded. */
export default function TextDiff({ label, before, after }: { label: string; before: string; after: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const editor = new EditorView({
      parent: box.current ?? undefined,
      doc: after,
      extensions: [
        lookOf(label),
        EditorState.readOnly.of(true),
        unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } }),
      ],
    });
    return () => editor.destroy();
  }, [label, before, after]);
  return <div ref={box} className={styles.diff} />;
}
