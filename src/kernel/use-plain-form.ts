import { useRef, useState, type FormEvent, type RefObject } from 'react';
import { ApiError, failureMessage, itemMessage } from './http/index.ts';

type Problems<Field extends string> = Partial<Record<Field, string>>;

interface PlainFormInit<Field extends string> {
  /** Every field with what it begins with. */
  start: () => Record<Field, string>;
  /** What is wrong, by field in the order of the page; empty when it can be sent. */
  check(data: Record<Field, string>): Problems<Field>;
  /** Sends it; an `ApiError` goes to its fields, or above the form. */
  send(data: Record<Field, string>): Promise<void>;
  /** Said above the form when the server gave no reason. */
  fallback?: string;
}

export interface PlainForm<Field extends string> {
  problems: Problems<Field>;
  /** What is wrong with no field in particular; empty when nothing is. */
  formProblem: string;
  setFormProblem(problem: string): void;
  isBusy: boolean;
  /** For the `<form>`: the first wrong field in it gets the focus. */
  ref: RefObject<HTMLFormElement | null>;
  handleSubmit(event: FormEvent): Promise<void>;
  /** The properties of a field's control. */
  bind(name: Field): { name: Field; value: string; isInvalid: boolean; onChange(event: { target: { value: string } }): void };
}

/** A form of texts for pages in front of the console, which do without the form engine to be light. A second submit while one is under way is ignored. */
export function usePlainForm<Field extends string>({ start, check, send, fallback }: PlainFormInit<Field>): PlainForm<Field> {
  const [data, setData] = useState(start);
  const [problems, setProblems] = useState<Problems<Field>>({});
  const [formProblem, setFormProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const ref = useRef<HTMLFormElement>(null);

  const refuse = (next: Problems<Field>) => {
    setProblems(next);
    const first = Object.keys(next)[0];
    if (first) ref.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
  };
  return {
    problems,
    formProblem,
    setFormProblem,
    isBusy,
    ref,
    async handleSubmit(event) {
      event.preventDefault();
      if (isBusy) return;
      const found = check(data);
      if (Object.keys(found).length > 0) return refuse(found);
      setBusy(true);
      setFormProblem('');
      try {
        await send(data);
      } catch (error) {
        setBusy(false);
        const placed = placeProblems(error, data);
        refuse(placed);
        if (Object.keys(placed).length === 0) setFormProblem(failureMessage(error, { fallback }));
      }
    },
    bind: (name) => ({
      name,
      value: data[name],
      isInvalid: problems[name] !== undefined,
      onChange: (event) => {
        setData({ ...data, [name]: event.target.value });
        setProblems({ ...problems, [name]: undefined });
      },
    }),
  };
}

/** The server's words by field, the first of each. */
function placeProblems<Field extends string>(error: unknown, data: Record<Field, string>): Problems<Field> {
  const problems: Problems<Field> = {};
  if (!(error instanceof ApiError)) return problems;
  const isField = (source: string): source is Field => Object.hasOwn(data, source);
  for (const item of error.items) if (item.source && isField(item.source)) problems[item.source] ??= itemMessage(item);
  return problems;
}
