import { ts } from '@ts-morph/common';
import { loadContract } from '../../schemas/kit/codegen/load.ts';
import { locationOf, projectFolder } from './read-server.ts';

/** A route as the code of the server registers it. */
export interface WrittenRoute {
  /** `GET /api/tags/:id`; several where one call registers several. */
  names: string[];
  /** The function that answers; of a list the one that answers its rows. */
  handler: ts.Expression | ts.MethodDeclaration;
  isList: boolean;
  /** The file and line. */
  location: string;
}

const REGISTERING = new Set(['route', 'listRoute', 'formRoute', 'publicFormRoute']);
/** Functions that register routes of others. */
const OWN_FILES = ['server/kernel/route.ts', 'server/kernel/form-route.ts', 'server/kernel/list-route.ts'];

/** The texts that an expression can be: literals, templates and constants of them. Undefined where the compiler knows no such list. */
function textsOf(checker: ts.TypeChecker, node: ts.Expression): string[] | undefined {
  if (ts.isTemplateExpression(node))
    return node.templateSpans.reduce<string[] | undefined>(
      (starts, { expression, literal }) => {
        const middles = textsOf(checker, expression);
        return middles && starts?.flatMap((start) => middles.map((middle) => `${start}${middle}${literal.text}`));
      },
      [node.head.text],
    );
  const shorthand = ts.isShorthandPropertyAssignment(node.parent) ? checker.getShorthandAssignmentValueSymbol(node.parent) : undefined;
  const type = shorthand ? checker.getTypeOfSymbol(shorthand) : checker.getTypeAtLocation(node);
  const parts = type.isUnion() ? type.types : [type];
  return parts.every((part) => part.isStringLiteral()) ? parts.map((part) => part.value) : undefined;
}

type Member = ts.PropertyAssignment | ts.ShorthandPropertyAssignment | ts.MethodDeclaration;

function membersOf(spec: ts.Expression | undefined): Map<string, Member> {
  if (!spec || !ts.isObjectLiteralExpression(spec)) return new Map();
  const members = spec.properties.filter(
    (member) => ts.isPropertyAssignment(member) || ts.isShorthandPropertyAssignment(member) || ts.isMethodDeclaration(member),
  );
  return new Map(members.map((member) => [member.name.getText(), member]));
}

function valueOf(member: Member | undefined): ts.Expression | ts.MethodDeclaration | undefined {
  if (!member) return undefined;
  if (ts.isMethodDeclaration(member)) return member;
  return ts.isPropertyAssignment(member) ? member.initializer : member.name;
}

/** Finds what the server registers. `findForm` is the method and path of a form; `unknown` gets the calls whose method or path the compiler cannot say. */
export function findRoutes(program: ts.Program, unknown: (location: string) => void): WrittenRoute[] {
  const checker = program.getTypeChecker();
  const { forms } = loadContract();
  const readRoute = (call: ts.CallExpression, isList: boolean): WrittenRoute | undefined => {
    const members = membersOf(call.arguments[1]);
    const read = (name: string): string[] | undefined => {
      const value = valueOf(members.get(name));
      return value && !ts.isMethodDeclaration(value) ? textsOf(checker, value) : undefined;
    };
    const [methods, paths] = [isList ? ['GET'] : read('method'), read('path')];
    const handler = valueOf(members.get(isList ? 'list' : 'handler'));
    // A file, or an answer that the route describes itself.
    if (members.has('mediaType') || members.has('answer')) return undefined;
    // A list that finds its path in the entry of its resource is described by that.
    if (isList && !paths) return undefined;
    if (!methods || !paths || !handler) return void unknown(locationOf(call));
    const atRoot = members.get('atRoot');
    const starts = !atRoot ? ['/api'] : ts.isShorthandPropertyAssignment(atRoot) ? ['', '/api'] : [''];
    const names = methods.flatMap((method) => paths.flatMap((path) => starts.map((start) => `${method} ${start}${path}`)));
    return { names, handler, isList, location: locationOf(call) };
  };
  const readFormRoute = (call: ts.CallExpression): WrittenRoute | undefined => {
    const [, id, handler] = call.arguments;
    const found = (id && textsOf(checker, id))?.flatMap((name) => forms[name] ?? []);
    if (!found || !handler) return void unknown(locationOf(call));
    const names = found.map(({ submit }) => `${submit.method} /api${submit.path.replace('{id}', ':id')}`);
    return { names, handler, isList: false, location: locationOf(call) };
  };
  const routes: WrittenRoute[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && REGISTERING.has(node.expression.text)) {
      const name = node.expression.text;
      const found = name === 'route' || name === 'listRoute' ? readRoute(node, name === 'listRoute') : readFormRoute(node);
      if (found) routes.push(found);
    }
    ts.forEachChild(node, visit);
  };
  const own = new Set(OWN_FILES.map((file) => `${projectFolder}${file}`));
  for (const file of program.getSourceFiles())
    if (file.fileName.startsWith(`${projectFolder}server/`) && !own.has(file.fileName)) visit(file);
  return routes;
}
