import { setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useId, useImperativeHandle, useRef, type Ref } from 'react';
import { useT } from '../../../kernel/i18n/index.ts';
import type { Finding } from '../studio-api.ts';
import { helpers, lookOf } from './extensions.ts';
import styles from './editor.module.css';

export interface EditorHandle {
  /** Puts the cursor at a place, both counted from 1, and the focus with it. */
  jump(line: number, column: number): void;
}

interface CodeEditorProps {
  label: string;
  value: string;
  isReadOnly: boolean;
  /** Of this very text. */
  findings: readonly Finding[];
  onChange(value: string): void;
  ref?: Ref<EditorHandle>;
}

function offsetOf({ doc }: EditorState, { line, column }: Pick<Finding, 'line' | 'column'>): number {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(found.from + column - 1, found.to);
}

function diagnosticOf(state: EditorState, finding: Finding): Diagnostic {
  const from = offsetOf(state, finding);
  const word = state.wordAt(from + 1);
  return { from, to: Math.max(word?.to ?? from, from), severity: 'error', message: finding.message };
}

/** The text of a form: JSON with completion, explanations and findings in place. `value` from outside wins over what was typed. */
export default function CodeEditor({ label, value, isReadOnly, findings, onChange, ref }: CodeEditorProps) {
  const t = useT();
  const hintId = useId();
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const reading = useRef(new Compartment());
  const latest = useRef({ onChange, value });
  useEffect(() => void (latest.current = { onChange, value }));

  useEffect(() => {
    const editor = new EditorView({
      parent: box.current ?? undefined,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          lookOf(label),
          helpers,
          EditorView.contentAttributes.of({ 'aria-describedby': hintId }),
          reading.current.of([]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, hintId]);

  useEffect(() => {
    const editor = view.current;
    if (editor && editor.state.doc.toString() !== value)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    view.current?.dispatch({ effects: reading.current.reconfigure(EditorState.readOnly.of(isReadOnly)) });
  }, [isReadOnly]);
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const marks = findings.map((finding) => diagnosticOf(editor.state, finding)).toSorted((a, b) => a.from - b.from);
    editor.dispatch(setDiagnostics(editor.state, marks));
  }, [findings]);

  useImperativeHandle(ref, () => ({
    jump(line, column) {
      const editor = view.current;
      if (!editor) return;
      const at = offsetOf(editor.state, { line, column });
      editor.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
      editor.focus();
    },
  }));

  return (
    <div className={styles.editor}>
      <div ref={box} className={styles.box} />
      <p id={hintId} className={styles.hint}>
        {t(isReadOnly ? 'studio.editor.read_only' : 'studio.editor.hint')}
      </p>
    </div>
  );
}
