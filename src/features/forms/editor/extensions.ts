import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap } from '@codemirror/view';
import { indentWithTab } from '@codemirror/commands';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import { translate } from '../../../kernel/i18n/index.ts';
import { explanationAt, suggestionsAt } from './schema-help.ts';

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--c-ink)', backgroundColor: 'var(--c-field)', fontSize: 'var(--text)' },
  '&.cm-focused': { outline: '2px solid var(--c-accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--c-ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--c-ink)' },
  '.cm-gutters': { backgroundColor: 'var(--c-sunken)', color: 'var(--c-muted)', borderRight: '1px solid var(--c-line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--c-accent) 7%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: 'color-mix(in srgb, var(--c-accent) 26%, transparent)',
  },
  '.cm-selectionMatch, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--c-flash)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--c-sunken)', borderColor: 'var(--c-line)', color: 'var(--c-muted)' },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--c-card)',
    color: 'var(--c-ink)',
    border: '1px solid var(--c-line-strong)',
    maxWidth: '420px',
  },
  '.cm-panels': { maxWidth: 'none' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--c-accent-tint)', color: 'var(--c-ink)' },
  '.cm-explanation': { padding: '6px 10px', fontFamily: 'var(--font)' },
  '.cm-completionInfo, .cm-diagnostic': { fontFamily: 'var(--font)' },
  '.cm-collapsedLines': { background: 'var(--c-sunken)', color: 'var(--c-muted)' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '""' },
  '.cm-changedLine': { backgroundColor: 'var(--c-good-tint)' },
  '.cm-changedText': { background: 'color-mix(in srgb, var(--c-good) 22%, transparent)' },
  // On these grounds the colours of the language are too faint.
  '.cm-changedText, .cm-changedText *, .cm-deletedChunk .cm-deletedText, .cm-deletedChunk .cm-deletedText *': { color: 'var(--c-ink)' },
  '.cm-deletedChunk': { backgroundColor: 'var(--c-bad-tint)' },
  '.cm-deletedChunk .cm-deletedText': { background: 'color-mix(in srgb, var(--c-bad) 22%, transparent)' },
});

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--c-accent)' },
  { tag: tags.string, color: 'var(--c-good-text)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--c-warn-text)' },
  { tag: tags.invalid, color: 'var(--c-bad-text)' },
]);

function complete(context: CompletionContext): CompletionResult | null {
  const text = context.state.doc.toString();
  if (!context.explicit && !context.matchBefore(/["\w$:-]+/)) return null;
  const { from, to, suggestions } = suggestionsAt(text, context.pos);
  if (suggestions.length === 0) return null;
  const hasColon = /^\s*:/.test(text.slice(to));
  const options = suggestions.map(({ text: label, isKey, explanation }): Completion => ({
    label,
    apply: isKey && !hasColon ? `${label}: ` : label,
    type: isKey ? 'property' : 'constant',
    ...(explanation === undefined ? {} : { info: explanation }),
  }));
  return { from, to, options };
}

const explain = hoverTooltip((view, position) => {
  const found = explanationAt(view.state.doc.toString(), position);
  if (!found) return null;
  return {
    pos: found.from,
    end: found.to,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'cm-explanation';
      dom.textContent = found.explanation;
      return { dom };
    },
  };
});

function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}

/** CodeMirror's own words, which it names in English. */
function phrases(): Record<string, string> {
  return {
    '$ unchanged lines': translate('studio.editor.unchanged'),
    Find: translate('studio.editor.find'),
    Replace: translate('studio.editor.replace'),
    next: translate('studio.editor.next'),
    previous: translate('studio.editor.previous'),
    all: translate('studio.editor.all'),
    'match case': translate('studio.editor.match_case'),
    regexp: translate('studio.editor.regexp'),
    'by word': translate('studio.editor.by_word'),
    replace: translate('studio.editor.replace_one'),
    'replace all': translate('studio.editor.replace_all'),
    close: translate('studio.editor.close'),
  };
}

/** What every text of ours has, editors and comparisons alike: the theme, and the nonce that our content policy asks for. */
export function lookOf(label: string): Extension {
  return [
    EditorView.cspNonce.of(styleNonce()),
    basicSetup,
    json(),
    syntaxHighlighting(colors),
    theme,
    EditorState.phrases.of(phrases()),
    EditorView.lineWrapping,
    // Named as focusable, so that tools know that its scrolling region can be reached by keyboard.
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  ];
}

/** Completion and explanations from the meta-schema, marks of findings. Tab indents; after Escape it leaves. */
export const helpers: Extension = [autocompletion({ override: [complete] }), explain, lintGutter(), keymap.of([indentWithTab])];
