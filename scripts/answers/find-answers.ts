import { ts } from '@ts-morph/common';
import { locationOf, projectFolder } from './read-server.ts';

/** What a handler can answer: a function of `server/kernel/answer.ts` with its `data`, or a body that is written out. */
export interface WrittenAnswer {
  kind: 'ok' | 'created' | 'partial' | 'stream' | 'body';
  /** The expression of `data`. */
  data: ts.Expression | undefined;
  /** The expression of a body that is written out. */
  body?: ts.Expression;
}

type FunctionNode = ts.FunctionDeclaration | ts.MethodDeclaration | ts.ArrowFunction | ts.FunctionExpression;
/** What parameters stand for in the call that is followed. */
type Bindings = ReadonlyMap<ts.Symbol, ts.Expression>;

/** Calls within calls that are followed; functions that call themselves end there. */
const MAX_DEPTH = 12;

const ANSWERS = `${projectFolder}server/kernel/answer.ts`;
const KINDS: readonly string[] = ['ok', 'created', 'partial', 'stream'] satisfies WrittenAnswer['kind'][];
const isKind = (name: string): name is WrittenAnswer['kind'] => KINDS.includes(name);

function unwrap(node: ts.Expression): ts.Expression {
  if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return unwrap(node.expression);
  return node;
}

function isFunction(node: ts.Node | undefined): node is FunctionNode {
  return (
    node !== undefined &&
    (ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node))
  );
}

/** What a function returns, without what functions inside it return. */
function returnsOf(node: FunctionNode): ts.Expression[] {
  if (!node.body) return [];
  if (!ts.isBlock(node.body)) return [node.body];
  const found: ts.Expression[] = [];
  const visit = (inner: ts.Node): void => {
    if (ts.isReturnStatement(inner) && inner.expression) found.push(inner.expression);
    if (!ts.isFunctionLike(inner)) ts.forEachChild(inner, visit);
  };
  ts.forEachChild(node.body, visit);
  return found;
}

/** Follows handlers to what they answer, through functions that they call. `lost` gets the places that it cannot follow. */
export function createAnswerFinder(checker: ts.TypeChecker, lost: (location: string) => void) {
  const symbolOf = (node: ts.Node): ts.Symbol | undefined => {
    const symbol =
      ts.isIdentifier(node) && ts.isShorthandPropertyAssignment(node.parent)
        ? checker.getShorthandAssignmentValueSymbol(node.parent)
        : checker.getSymbolAtLocation(node);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  };
  /** The function or expression that a name stands for. */
  const valueOf = (node: ts.Expression, bindings: Bindings): ts.Expression | FunctionNode | undefined => {
    const symbol = symbolOf(node);
    const bound = symbol && bindings.get(symbol);
    if (bound) return bound;
    for (const declaration of symbol?.declarations ?? []) {
      if (isFunction(declaration)) return declaration;
      if (ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration) || ts.isParameter(declaration))
        if (declaration.initializer) return unwrap(declaration.initializer);
    }
    return undefined;
  };
  const bind = (callee: FunctionNode, call: ts.CallExpression, bindings: Bindings): Bindings => {
    const bound = callee.parameters.flatMap((parameter, index): [ts.Symbol, ts.Expression][] => {
      const [argument, symbol] = [call.arguments[index], checker.getSymbolAtLocation(parameter.name)];
      return argument && symbol ? [[symbol, argument]] : [];
    });
    return new Map([...bindings, ...bound]);
  };
  const isOfAnswers = (node: ts.Expression): string | undefined => {
    const symbol = symbolOf(node);
    return symbol?.declarations?.[0]?.getSourceFile().fileName === ANSWERS ? symbol.name : undefined;
  };
  const fromCall = (call: ts.CallExpression, bindings: Bindings, depth: number): WrittenAnswer[] => {
    const kind = isOfAnswers(call.expression);
    // An argument that is a parameter has the type of what was passed for it.
    const [data] = call.arguments.map((argument) => {
      const symbol = ts.isIdentifier(argument) ? symbolOf(argument) : undefined;
      return (symbol && bindings.get(symbol)) ?? argument;
    });
    if (kind !== undefined && isKind(kind)) return [{ kind, data }];
    const callee = valueOf(call.expression, bindings);
    if (isFunction(callee)) return returnsOf(callee).flatMap((node) => fromExpression(node, bind(callee, call, bindings), depth + 1));
    if (callee && isOfAnswers(callee) === 'created') return [{ kind: 'created', data }];
    if (callee && isOfAnswers(callee) === 'ok') return [{ kind: 'ok', data }];
    // A function that runs another: `costly.run(cost, …, () => ok())`, `Promise.resolve(ok())`.
    const inner = call.arguments.flatMap((node) => (isFunction(node) ? returnsOf(node) : ts.isCallExpression(node) ? [node] : []));
    return inner.flatMap((node) => fromExpression(node, bindings, depth + 1));
  };
  const fromExpression = (wrapped: ts.Expression, bindings: Bindings, depth: number): WrittenAnswer[] => {
    const node = unwrap(wrapped);
    if (depth > MAX_DEPTH) return [];
    if (ts.isConditionalExpression(node))
      return [node.whenTrue, node.whenFalse].flatMap((branch) => fromExpression(branch, bindings, depth));
    if (ts.isCallExpression(node)) return fromCall(node, bindings, depth);
    if (ts.isIdentifier(node)) {
      const value = valueOf(node, bindings);
      if (value && !isFunction(value)) return fromExpression(value, bindings, depth + 1);
    }
    if (ts.isObjectLiteralExpression(node)) {
      const spread = node.properties.find(ts.isSpreadAssignment);
      if (spread) return fromExpression(spread.expression, bindings, depth + 1);
      const body = node.properties.filter(ts.isPropertyAssignment).find(({ name }) => name.getText() === 'body')?.initializer;
      if (body) return /\bsuccess: false\b/.test(body.getText()) ? [] : [{ kind: 'body', data: undefined, body }];
    }
    lost(`${locationOf(node)} ${node.getText().slice(0, 60)}`);
    return [];
  };
  /** What a handler answers; it may be a function, the name of one, or a call that makes one. */
  const fromHandler = (wrapped: ts.Expression | FunctionNode, bindings: Bindings = new Map(), depth = 0): WrittenAnswer[] => {
    const node = isFunction(wrapped) ? wrapped : unwrap(wrapped);
    if (isFunction(node)) return returnsOf(node).flatMap((inner) => fromExpression(inner, bindings, depth));
    const value = valueOf(ts.isCallExpression(node) ? node.expression : node, bindings);
    if (value && depth <= MAX_DEPTH) {
      if (!ts.isCallExpression(node)) return fromHandler(value, bindings, depth + 1);
      if (isFunction(value)) return returnsOf(value).flatMap((inner) => fromHandler(inner, bind(value, node, bindings), depth + 1));
    }
    lost(locationOf(node));
    return [];
  };
  return (handler: ts.Expression | FunctionNode): WrittenAnswer[] => fromHandler(handler);
}
