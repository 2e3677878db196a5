import { useEffect, useState } from 'react';
import { failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { studio, type Checked, type Finding } from './studio-api.ts';

const WAIT_MS = 350;

/** What the server last said about a text under edit. */
export interface Judgement {
  /** The text that `findings` are about; undefined until the first one was judged. */
  text: string | undefined;
  findings: readonly Finding[];
  /** What is not right on this installation, and keeps nobody from saving. */
  warnings: readonly Finding[];
  /** What `text` refuses of what the version in use takes. */
  breaks: Checked['breaks'];
  /** The newest text that was right, drawn until the next one is. */
  good: { text: string; form: NonNullable<Checked['form']>; hash: string } | undefined;
  /** The server could not be asked. */
  failure: string | undefined;
}

const NOTHING: Judgement = { text: undefined, findings: [], warnings: [], breaks: [], good: undefined, failure: undefined };

/** Has a text judged by the server's linter after each pause in typing. */
export function useChecked(id: string, text: string): Judgement {
  const [judgement, setJudgement] = useState(NOTHING);
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      studio.check(id, text, abort.signal).then(
        ({ findings, warnings, breaks, form, hash }) =>
          setJudgement((before) => ({
            text,
            findings,
            warnings,
            breaks,
            good: form && hash !== null ? { text, form, hash } : before.good,
            failure: undefined,
          })),
        (error: unknown) => {
          if (!isCancelled(error)) setJudgement((before) => ({ ...before, failure: failureMessage(error) }));
        },
      );
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [id, text]);
  return judgement;
}
