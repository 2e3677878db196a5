const ACCENTS: Readonly<Record<string, string>> = Object.fromEntries(
  [...'AaCcDdEeGgIiLlNnOoRrSsTtUuYyZz'].map((letter, at) => [letter, [...'ÅåÇçÐðÉéĞğÎîŁłÑñÖöŘřŠšŤťÛûÝýŽž'][at] ?? letter]),
);
// {name}  <terms>  </terms>
const KEPT = /(\{\w+\}|<[^>]+>)/;
const GROWTH = 0.4;

/** A text as a long language with many accents would have it: two fifths longer, its placeholders and tags untouched. */
export function pseudoText(text: string): string {
  const parts = text
    .split(KEPT)
    .map((part) => (KEPT.test(part) ? part : part.replaceAll(/[A-Za-z]/g, (letter) => ACCENTS[letter] ?? letter)));
  const letters = text.replaceAll(new RegExp(KEPT, 'g'), '').length;
  // Words, not one long one: real languages break too.
  const filler = 'ø'
    .repeat(Math.ceil(letters * GROWTH))
    .replaceAll(/ø{6}/g, 'øøøøø ')
    .trimEnd();
  return filler === '' ? parts.join('') : `${parts.join('')} ${filler}`;
}

/** All texts of a language in the pseudo-language. */
export function pseudoTexts(texts: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...texts].map(([key, text]) => [key, pseudoText(text)]));
}
