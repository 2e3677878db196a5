import { findNodeAtLocation, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import type { JsonPath } from '../form/schema-parts.ts';

export type { JsonPath };

/** Something wrong in a contract file, at a place that an editor can jump to. */
export interface LintProblem {
  path: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  /** For programs, such as `unknown-field`. */
  code: string;
  /** For people: what is wrong, and what was probably meant. */
  message: string;
}

/** A file as the linter sees it: its text, its tree and what was found so far. */
export interface LintSource {
  path: string;
  /** The value; `undefined` when the text is no JSON. */
  value: unknown;
  problems: LintProblem[];
  /** Reports at the value under `at`; `key` points at the member's name instead. Reports at the nearest existing parent when `at` does not exist. */
  report: (at: JsonPath, code: string, message: string, key?: 'key') => void;
}

function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

function describe(error: ParseError): string {
  const words = printParseErrorCode(error.error)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return `This is not valid JSON: ${words}.`;
}

function nearestNode(root: Node, at: JsonPath): Node {
  for (let length = at.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(root, at.slice(0, length));
    if (node) return node;
  }
  return root;
}

function findRepeatedKeys(node: Node, found: Node[] = []): Node[] {
  if (node.type === 'object') {
    const seen = new Set<unknown>();
    for (const property of node.children ?? []) {
      const [key] = property.children ?? [];
      if (key && seen.has(key.value)) found.push(key);
      if (key) seen.add(key.value);
    }
  }
  for (const child of node.children ?? []) findRepeatedKeys(child, found);
  return found;
}

/** The first value that lies deeper than so many levels in another, without some of its parts; `undefined` when none does. A number has no level, a flat object one. */
function findTooDeep(node: Node, levels: number, without: readonly (Node | undefined)[] = []): Node | undefined {
  if (without.includes(node) || (node.type !== 'object' && node.type !== 'array')) return undefined;
  if (levels === 0) return node;
  for (const child of node.children ?? []) {
    const value = child.type === 'property' ? child.children?.[1] : child;
    const found = value && findTooDeep(value, levels - 1, without);
    if (found) return found;
  }
  return undefined;
}

export const MAX_FILE_BYTES = 256 * 1024;
/** Levels of nesting of the file; a list of groups of fields needs nine. */
export const MAX_DEPTH = 12;
/** The same of a `uiSchema`, as the rows and columns of a grid lie deep in each other, and of the schema of an added form. */
export const MAX_INNER_DEPTH = 40;
/** Far above any legal depth: such a text is not even parsed. */
const MAX_BRACKETS = 500;

function bracketDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (bracket === '{' || bracket === '[') depth += 1;
    if (bracket === '}' || bracket === ']') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/**
 * Parses one file for the linter; wrong JSON, repeated keys and files that are too large or too deep are reported here. `hasDeepSchema`: the levels of its
 * `schema` are counted from there.
 */
export function openSource(path: string, text: string, { hasDeepSchema = false }: { hasDeepSchema?: boolean } = {}): LintSource {
  const problems: LintProblem[] = [];
  const add = (offset: number, code: string, message: string): void => {
    problems.push({ path, ...lineAndColumn(text, offset), code, message });
  };
  const nothing: LintSource = { path, value: undefined, problems, report: (_at, code, message) => add(0, code, message) };
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MAX_FILE_BYTES) {
    add(0, 'too-large', `The file has ${Math.ceil(bytes / 1024)} KB; the limit is ${MAX_FILE_BYTES / 1024} KB.`);
    return nothing;
  }
  if (bracketDepth(text) > MAX_BRACKETS) {
    add(0, 'too-deep', `The file is nested deeper than ${MAX_DEPTH} levels.`);
    return nothing;
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  for (const error of errors.slice(0, 5)) add(error.offset, 'bad-json', describe(error));
  if (!root || errors.length > 0) {
    if (errors.length === 0) add(0, 'bad-json', 'This is not valid JSON: the file is empty.');
    return nothing;
  }
  for (const key of findRepeatedKeys(root)) add(key.offset, 'repeated-key', `The key "${String(key.value)}" is listed twice.`);
  const inner = (hasDeepSchema ? ['uiSchema', 'schema'] : ['uiSchema']).map((name) => ({ name, node: findNodeAtLocation(root, [name]) }));
  const tooDeep = findTooDeep(
    root,
    MAX_DEPTH,
    inner.map(({ node }) => node),
  );
  if (tooDeep) add(tooDeep.offset, 'too-deep', `The file is nested deeper than ${MAX_DEPTH} levels.`);
  for (const { name, node } of inner) {
    const deep = node && findTooDeep(node, MAX_INNER_DEPTH);
    if (deep)
      add(deep.offset, 'too-deep', `The ${name} is nested deeper than ${MAX_INNER_DEPTH} levels: what lies deeper goes to "definitions".`);
  }
  return {
    path,
    // Parsed, as values of the tree lack the prototype that comparing objects takes for granted.
    value: JSON.parse(text),
    problems,
    report(at, code, message, key) {
      const node = nearestNode(root, at);
      const place = key && node.parent?.type === 'property' ? node.parent : node;
      add(place.offset, code, message);
    },
  };
}
