import { ts } from '@ts-morph/common';
import { loadContract } from '../../schemas/kit/codegen/load.ts';
import type { JsonSchema } from '../../schemas/kit/form/types.ts';
import type { DescribedAnswer, DescribedAnswers } from '../../server/kernel/openapi/described-answers.ts';
import { createAnswerFinder, type WrittenAnswer } from './find-answers.ts';
import { findRoutes, type WrittenRoute } from './find-routes.ts';
import { readServer } from './read-server.ts';
import { createSchemaWriter } from './type-schema.ts';

function isNothing({ flags }: ts.Type): boolean {
  return (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0;
}

/** The answers of all routes as their types in the code say, and what the compiler cannot say, as sentences. */
export function deriveAnswers(): { answers: DescribedAnswers; problems: string[] } {
  const program = readServer();
  const checker = program.getTypeChecker();
  const problems: string[] = [];
  const routes = findRoutes(program, (location) => problems.push(`${location}: method and path of a route have to be literals`));
  const findAnswers = createAnswerFinder(checker, (location) => problems.push(`${location}: what is answered here is found by no type`));
  const { schemaOf, joinSchemas, components } = createSchemaWriter(checker, Object.values(loadContract().entities));
  const dataOf = (answers: readonly WrittenAnswer[]): DescribedAnswer['data'] => {
    const types = answers.flatMap(({ data }) => (data ? [checker.getTypeAtLocation(data)] : [])).filter((type) => !isNothing(type));
    return types.length === 0 ? undefined : joinSchemas(types.map((type) => schemaOf(type)));
  };
  const mayMiss = ({ data }: WrittenAnswer): boolean => {
    if (!data) return true;
    const type = checker.getTypeAtLocation(data);
    return isNothing(type) || (type.isUnion() && type.types.some(isNothing));
  };
  const rowsOf = (handler: ts.Node): JsonSchema => {
    const [signature] = checker.getTypeAtLocation(handler).getCallSignatures();
    const result = signature && checker.getAwaitedType(signature.getReturnType());
    const rows = result?.getProperty('rows');
    return rows ? schemaOf(checker.getTypeOfSymbol(rows)) : {};
  };
  const describe = ({ handler, isList, location }: WrittenRoute): DescribedAnswer | undefined => {
    if (isList) return { status: 200, data: rowsOf(handler) };
    const answers = findAnswers(handler);
    const whole = answers.filter(({ kind }) => kind === 'ok' || kind === 'created');
    if (answers.length === 0) problems.push(`${location}: no answer is found`);
    const bodies = answers.flatMap(({ body }) => (body ? [schemaOf(checker.getTypeAtLocation(body))] : []));
    if (bodies.length > 0) return { status: 200, body: joinSchemas(bodies) };
    if (whole.length === 0) return undefined;
    const data = dataOf(whole);
    const partial = dataOf(answers.filter(({ kind }) => kind === 'partial'));
    const hasFew = data !== undefined && whole.some(mayMiss);
    return {
      status: whole.some(({ kind }) => kind === 'created') ? 201 : 200,
      ...(data ? { data } : {}),
      ...(hasFew ? { mayMissData: true } : {}),
      ...(partial ? { partial } : {}),
    };
  };
  const described = routes.flatMap((route): [string, DescribedAnswer][] => {
    const answer = describe(route);
    return answer ? route.names.map((name) => [name, answer]) : [];
  });
  return {
    answers: {
      schemas: Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      answers: Object.fromEntries(described.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
    problems,
  };
}
