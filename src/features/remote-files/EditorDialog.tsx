import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import { useEffect, useRef, useState } from 'react';
import type { FileText } from '../../../schemas/kit/devices/remote-wire.ts';
import { confirm, DialogWindow, type DialogComponent } from '../../engine/dialogs/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useStore } from '../../kernel/store.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Banner, Button, Spinner } from '../../ui/index.ts';
import { RemoteFileError, type FilesSession } from './files-session.ts';
import styles from './remote-files.module.css';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'remote-files.editor': { props: { session: FilesSession; path: string }; result: undefined };
  }
}

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--c-ink)', backgroundColor: 'var(--c-field)', fontSize: 'var(--text)' },
  '&.cm-focused': { outline: '2px solid var(--c-accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--c-ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--c-ink)' },
  '.cm-gutters': { backgroundColor: 'var(--c-sunken)', color: 'var(--c-muted)', borderRight: '1px solid var(--c-line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--c-accent) 7%, transparent)' },
  '.cm-selectionBackground, ::selection': { backgroundColor: 'color-mix(in srgb, var(--c-accent) 26%, transparent)' },
});

const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

/** The text of a remote file, changed in place. Somebody else's change meanwhile is not overwritten unasked. */
const EditorDialog: DialogComponent<'remote-files.editor'> = ({ dialog, session, path }) => {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const [file, setFile] = useState<FileText>();
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isLoaded = file !== undefined;
  const { phase } = useStore(session.state);
  const { setGuard, setTray, minimize } = dialog;

  useEffect(() => setTray({ title: path, percent: undefined }), [setTray, path]);
  // What the remote side asks before it lets somebody in again is behind this window.
  useEffect(() => {
    if (phase === 'asking') minimize();
  }, [phase, minimize]);
  useEffect(() => {
    session.call<FileText>({ op: 'read', path }).then(setFile, (error: unknown) => {
      setFault(error instanceof RemoteFileError ? error.code : 'failed');
    });
  }, [session, path]);
  useEffect(() => {
    if (!file || view.current) return;
    view.current = new EditorView({
      parent: box.current ?? undefined,
      state: EditorState.create({
        doc: file.text,
        extensions: [
          EditorView.cspNonce.of(nonce()),
          basicSetup,
          theme,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': path, tabindex: '0' }),
        ],
      }),
    });
    view.current.focus();
  }, [file, path]);
  useEffect(() => () => view.current?.destroy(), []);
  useEffect(() => {
    setGuard(async () => {
      const isSame = !file || view.current?.state.doc.toString() === file.text;
      return isSame || confirm({ title: t('files_remote.discard') });
    });
  }, [setGuard, file, t]);

  async function save(overwrite = false): Promise<void> {
    const text = view.current?.state.doc.toString();
    if (text === undefined || !file) return;
    setBusy(true);
    try {
      setFile(await session.call<FileText>({ op: 'write', path, text, version: file.version, overwrite }));
      toasts.success(t('files_remote.saved'));
    } catch (error) {
      const code = error instanceof RemoteFileError ? error.code : 'failed';
      if (code !== 'changed') toasts.error(t(`remote.faults.${code}`));
      else if (await confirm({ title: t('files_remote.changed'), promptContent: t('files_remote.changed_hint') })) await save(true);
    } finally {
      setBusy(false);
    }
  }
  return (
    <DialogWindow
      dialog={dialog}
      title={path}
      size="large"
      canMinimize
      canFullscreen
      footer={
        <>
          <Button onClick={() => dialog.requestClose()}>{t('common.close')}</Button>
          <Button variant="primary" isBusy={isBusy} disabled={!isLoaded || phase !== 'open'} onClick={() => void save()}>
            {t('files_remote.save')}
          </Button>
        </>
      }
    >
      {fault ? <Banner kind="bad">{t(`remote.faults.${fault}`)}</Banner> : null}
      {phase === 'ended' ? (
        <Banner
          kind="warn"
          actions={
            <Button size="small" onClick={() => session.reconnect()}>
              {t('remote.reconnect')}
            </Button>
          }
        >
          {t('files_remote.lost')}
        </Banner>
      ) : null}
      {isLoaded || fault ? null : <Spinner />}
      <div ref={box} className={styles.editor} />
    </DialogWindow>
  );
};
export default EditorDialog;
