import type { ReactElement } from 'react';
import { TransWithoutContext } from 'react-i18next';
import { useLanguage } from './index.ts';
import { transOf } from './translator.ts';

const NO_PARAMS = {};

interface TransProps {
  /** The key of a text such as `By signing in you accept the <terms>terms</terms>.` */
  text: string;
  params?: Readonly<Record<string, unknown>>;
  /** What each named element of the text becomes. */
  components: Readonly<Record<string, ReactElement>>;
}

/** A text whose words carry links or other elements; the names in angle brackets are those of `components`, so each language puts them where it wants. */
export function Trans({ text, params = NO_PARAMS, components }: TransProps) {
  const { count } = params;
  return (
    <TransWithoutContext
      {...transOf(useLanguage(), text, params)}
      i18nKey={text}
      components={components}
      tOptions={{ nest: false }}
      {...(typeof count === 'number' ? { count } : {})}
    />
  );
}
