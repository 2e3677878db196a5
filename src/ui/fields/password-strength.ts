/** What guessers try first; found in any case, also with the usual digits for letters. */
const COMMON = [
  'password',
  'passord',
  'welcome',
  'letmein',
  'iloveyou',
  'dragon',
  'monkey',
  'football',
  'admin',
  'root',
  'user',
  'login',
  'router',
  'teltonika',
  'changeme',
  'default',
  'secret',
  'qwerty',
  'qwertz',
  'azerty',
  'summer',
  'winter',
  'sommer',
  'canopy',
];
/** What is side by side on keyboards and in the alphabet. */
const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'йцукенгшщзхї', 'фівапролджє'];

const BITS_OF_COMMON_WORD = 6;
const BITS_OF_EXPECTED_SIGN = 1;
/** From this many characters in a row on it is a run; two neighbours happen by chance. */
const RUN = 2;

const LOOKALIKES: Readonly<Record<string, string>> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's' };

/** How many different characters a guesser would have to try for each position, judged by the kinds that are used. */
function poolOf(text: string): number {
  const kinds: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[ -/:-@[-`{-~]/, 33],
    [/[^ -~]/, 100],
  ];
  return kinds.reduce((sum, [kind, size]) => (kind.test(text) ? sum + size : sum), 0);
}

function isExpected(before: string, character: string): boolean {
  if (before === character) return true;
  return ROWS.some((row) => row.includes(before + character) || row.includes(character + before));
}

/**
 * A cautious estimate of how hard a password is to guess, in bits: each character counts by the kinds of characters used, one that goes on
 * with a repetition or a row of the keyboard counts for one bit, a well-known word for six. No rule of composition is judged.
 */
export function passwordBits(password: string): number {
  const plain = [...password.toLowerCase()].map((character) => LOOKALIKES[character] ?? character).join('');
  const word = COMMON.filter((common) => plain.includes(common)).toSorted((a, b) => b.length - a.length)[0];
  const start = word === undefined ? -1 : plain.indexOf(word);
  const perSign = Math.log2(Math.max(2, poolOf(password)));
  let bits = 0;
  let before = '';
  let run = 0;
  for (const [index, character] of [...password.toLowerCase()].entries()) {
    run = isExpected(before, character) ? run + 1 : 0;
    const isInWord = word !== undefined && index >= start && index < start + word.length;
    if (isInWord) bits += index === start ? BITS_OF_COMMON_WORD : 0;
    else bits += run >= RUN ? BITS_OF_EXPECTED_SIGN : perSign;
    before = character;
  }
  return Math.round(bits);
}

export type Strength = 'weak' | 'fair' | 'good' | 'strong';

/** The word for an estimate: below 40 bits a machine guesses it in hours, from 60 on in years, from 75 on not at all. */
export function strengthOf(bits: number): Strength {
  if (bits < 40) return 'weak';
  if (bits < 60) return 'fair';
  return bits < 75 ? 'good' : 'strong';
}
