import { type FormEvent, type ReactNode } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { useWindowTitle } from '../../kernel/theme/index.ts';
import { Banner, Button, PublicSheet, SheetLead, SheetLink } from '../../ui/index.ts';

interface PublicPanelProps {
  title: string;
  text?: string;
  /** What is wrong with the whole. */
  problem?: string;
  /** What came of it; the form is over then. */
  done?: string;
  submit: string;
  isBusy: boolean;
  onSubmit(): void;
  children?: ReactNode;
}

/** The sheet of a page before anybody is signed in: a small form, then what came of it and the way to the sign-in page. */
export function PublicPanel({ title, text, problem, done, submit, isBusy, onSubmit, children }: PublicPanelProps) {
  const t = useT();
  useWindowTitle(title);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy && done === undefined) onSubmit();
  };
  return (
    <PublicSheet onSubmit={handleSubmit}>
      <h1>{title}</h1>
      {problem ? <Banner kind="bad">{problem}</Banner> : null}
      {done ? <Banner kind="good">{done}</Banner> : null}
      {done === undefined ? (
        <>
          {text ? <SheetLead>{text}</SheetLead> : null}
          {children}
          <Button type="submit" variant="primary" isWide isBusy={isBusy}>
            {submit}
          </Button>
        </>
      ) : null}
      <SheetLink href="/login">{t('account.toSignIn')}</SheetLink>
    </PublicSheet>
  );
}
