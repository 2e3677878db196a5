import en from '../../credit-types/en.json' with { type: 'json' };
import ja from '../../credit-types/ja.json' with { type: 'json' };
import nb from '../../credit-types/nb.json' with { type: 'json' };
import uk from '../../credit-types/uk.json' with { type: 'json' };

type Names = (typeof en)['credit_types'];

/** What types of credits are called, by language: the files that the console has its texts `credit_types.*` from. */
export const creditTypeTexts: Readonly<Record<'en' | 'nb' | 'ja' | 'uk', Names>> = {
  en: en.credit_types,
  nb: nb.credit_types,
  ja: ja.credit_types,
  uk: uk.credit_types,
};
