import { useState } from 'react';
import { failureMessage } from '../../kernel/http/index.ts';

interface Submit {
  problem: string | undefined;
  /** What it came to; undefined until it worked. */
  done: string | undefined;
  isBusy: boolean;
  onSubmit: () => void;
}

/** One call of a public page: `send` gives the text to show when it worked, and undefined when it showed a failure at a field itself. */
export function useSubmit(send: () => Promise<string | undefined>): Submit {
  const [problem, setProblem] = useState<string>();
  const [done, setDone] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      setDone(await send());
    } catch (error) {
      setProblem(failureMessage(error));
    } finally {
      setBusy(false);
    }
  };
  return { problem, done, isBusy, onSubmit: () => void submit() };
}
