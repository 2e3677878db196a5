import fc from 'fast-check';

/** For tests: expressions that keep an engine with backtracking busy for hours on some hundred characters. */
export const HOSTILE_PATTERNS = [
  '(?:ж|ж)+$',
  '(?:Ā|Ā)+$',
  '(?:[а-я]|[а-я])+$x',
  '(?:\\u{100}|Ā)+$',
  '(a{0,30}){10}b',
  '(a{1,30}){1,10}b',
  '(?:a{1,5}){1,5}(?:a{1,5}){1,5}b',
  '(?:a?){10}(?:a?){10}(?:a?){10}b',
  '(a|a){10}(a|a){10}(a|a){10}b',
  '^(a+)+$',
  '(a*)*$',
  '(a|aa)+$',
  '^(?:.*)+$',
  '(.*a){20}',
  '^[a-z.]*[a-z.]*[a-z.]*[a-z.]*$',
  '\\s+$',
  `^${'(?:a|aa){0,10}'.repeat(5)}$`,
] as const;

const atom = fc.constantFrom('a', 'ж', 'Ā', '😀', '.', '\\w', '\\s', '[а-я]', '[^b]', '\\p{L}', '\\u{100}', '\\b', '$', '[a-zж]');
const times = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('', '*', '+', '?', '*?', '{2,}', '{0,30}', '{10}', '{1,5}') },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 5000 }).map((count) => `{0,${count}}`) },
);

const { source: repeated } = fc.letrec<{ source: string; term: string }>((tie) => ({
  source: fc.array(tie('term'), { minLength: 1, maxLength: 3 }).map((terms) => terms.join('')),
  term: fc.oneof(
    { maxDepth: 4 },
    { weight: 3, arbitrary: fc.tuple(atom, times).map(([single, count]) => (['\\b', '$'].includes(single) ? single : single + count)) },
    { weight: 2, arbitrary: fc.tuple(tie('source'), times).map(([inner, count]) => `(?:${inner})${count}`) },
    { weight: 1, arbitrary: fc.tuple(tie('source'), times).map(([inner, count]) => `(${inner}|${inner})${count}`) },
  ),
}));

/** For tests: expressions made of repetitions inside repetitions and alternatives that are alike; some are what the engine refuses. */
export const hostilePattern: fc.Arbitrary<string> = fc
  .tuple(repeated, fc.oneof({ weight: 9, arbitrary: fc.constant('') }, fc.constantFrom('(?=a)', '(a)\\1', '(', '[', '(?<x>a)\\k<x>')))
  .map((parts) => parts.join(''));

/** For tests: texts of one character that nearly fit. */
export const hostileText: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('a', 'ж', 'Ā', '😀', ' ', 'aж'), fc.integer({ min: 0, max: 500 }), fc.constantFrom('', '!', '\n', 'b'))
  .map(([part, count, end]) => part.repeat(count).slice(0, 500) + end);
