type Numbers = Readonly<Record<string, number>>;

const FUNCTIONS: Readonly<Record<string, (...given: number[]) => number>> = {
  round: (value, digits = 0) => Math.round((value ?? Number.NaN) * 10 ** digits) / 10 ** digits,
  floor: (value) => Math.floor(value ?? Number.NaN),
  ceil: (value) => Math.ceil(value ?? Number.NaN),
  abs: (value) => Math.abs(value ?? Number.NaN),
  min: (...given) => Math.min(...given),
  max: (...given) => Math.max(...given),
};
// `12.5`, `value`, `*`
const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_][A-Za-z0-9_-]*)|([-+*/%(),]))/y;
const MOST_DEPTH = 30;

class NoExpression extends Error {}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text);
    if (!match) throw new NoExpression();
    tokens.push(match[0].trim());
  }
  return tokens;
}

/** Reads by precedence: sums of products of signed numbers, names, calls and parentheses. */
function evaluateTokens(tokens: readonly string[], numbers: Numbers): number {
  let at = 0;
  const take = (wanted?: string): string => {
    const token = tokens[at];
    if (token === undefined || (wanted !== undefined && token !== wanted)) throw new NoExpression();
    at += 1;
    return token;
  };
  const isNext = (...wanted: string[]): boolean => wanted.includes(tokens[at] ?? '');

  function call(name: string, depth: number): number {
    const own = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (!own) throw new NoExpression();
    take('(');
    const given = [sum(depth)];
    while (isNext(',')) {
      take();
      given.push(sum(depth));
    }
    take(')');
    return own(...given);
  }

  function single(depth: number): number {
    if (depth > MOST_DEPTH) throw new NoExpression();
    const token = take();
    if (token === '-') return -single(depth + 1);
    if (token === '(') {
      const value = sum(depth + 1);
      take(')');
      return value;
    }
    if (/^\d/.test(token)) return Number(token);
    if (isNext('(')) return call(token, depth + 1);
    const value = Object.hasOwn(numbers, token) ? numbers[token] : undefined;
    if (value === undefined) throw new NoExpression();
    return value;
  }

  function product(depth: number): number {
    let value = single(depth);
    while (isNext('*', '/', '%')) {
      const operator = take();
      const right = single(depth);
      value = operator === '*' ? value * right : operator === '/' ? value / right : value % right;
    }
    return value;
  }

  function sum(depth: number): number {
    let value = product(depth);
    while (isNext('+', '-')) value = take() === '+' ? value + product(depth) : value - product(depth);
    return value;
  }

  const value = sum(0);
  if (at < tokens.length) throw new NoExpression();
  return value;
}

/**
 * The value of an arithmetic expression: `+ - * / %`, parentheses, the given names, and round(x, digits), floor, ceil, abs, min, max.
 * undefined for a text that is none. Nothing else can be reached by it.
 */
export function evaluateExpression(text: string, numbers: Numbers): number | undefined {
  try {
    return evaluateTokens(tokensOf(text), numbers);
  } catch (error) {
    if (error instanceof NoExpression) return undefined;
    throw error;
  }
}
