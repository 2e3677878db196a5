import { join } from 'node:path';
import { resources } from '../../../resources.config.ts';
import { readContractFile, schemasFolder } from '../../../schemas/kit/codegen/load.ts';
import type { JsonSchema } from '../../../schemas/kit/form/types.ts';
import type { ProgramRules } from '../lenient-calls.ts';
import type { RouteInfo } from '../route.ts';
import { shippedContract } from '../shipped-contract.ts';

/** What a route answers when all went well; `npm run gen:answers` derives it from the types of its handler. */
export interface DescribedAnswer {
  /** To the console. */
  status: 200 | 201;
  /** The schema of `data`; without one the answer has no data. */
  data?: JsonSchema;
  /** The schema of the whole body where it is no envelope. */
  body?: JsonSchema;
  /** Some answers of the route have no data. */
  mayMissData?: true;
  /** The schema of `data` of a 207. */
  partial?: JsonSchema;
}

/** The file `schemas/_generated/answers.json`. References lead to `#/components/schemas/`: an entity of the contract, or one of `schemas`. */
export interface DescribedAnswers {
  schemas: Record<string, JsonSchema>;
  /** By `GET /api/tags/:id`. */
  answers: Record<string, DescribedAnswer>;
}

let shippedAnswers: DescribedAnswers | undefined;

/** The answers as this version describes them. Not to be changed by who reads them. */
export function readDescribedAnswers(): DescribedAnswers {
  shippedAnswers ??= readContractFile<DescribedAnswers>(join(schemasFolder, '_generated', 'answers.json'));
  return shippedAnswers;
}

const PLACE = '#/components/schemas/';

/** The entity that a schema refers to, also among others. */
function findEntity({ $ref, anyOf = [] }: JsonSchema): string | undefined {
  const id = $ref?.startsWith(PLACE) ? $ref.slice(PLACE.length) : undefined;
  return id ?? anyOf.map(findEntity).find((found) => found !== undefined);
}

/** A record of an entity, some of whose members programs read as another type than the console, and more of them. */
function recordOfPrograms(entity: string, types: NonNullable<ProgramRules['types']>): JsonSchema {
  const { properties = {} } = Object.values(shippedContract().entities).find(({ id }) => id === entity)?.schema ?? {};
  const others = Object.keys(properties).filter((name) => !Object.hasOwn(types, name));
  const unchanged = others.map((name): [string, JsonSchema] => [name, { $ref: `${PLACE}${entity}/properties/${name}` }]);
  return { type: 'object', properties: { ...Object.fromEntries(unchanged), ...types } };
}

function withProgramTypes(data: JsonSchema, types: ProgramRules['types']): JsonSchema {
  if (!types) return data;
  const { items } = data;
  if (data.type === 'array' && typeof items === 'object' && !Array.isArray(items))
    return { ...data, items: withProgramTypes(items, types) };
  const entity = findEntity(data);
  return entity === undefined ? data : recordOfPrograms(entity, types);
}

/** The list of a resource whose rows are made by the database. */
function listOfResource({ method, path }: Pick<RouteInfo, 'method' | 'path'>): DescribedAnswer | undefined {
  const entity =
    method === 'GET' ? resources.find((entry: { name: string; path?: string }) => `/api/${entry.path ?? entry.name}` === path) : undefined;
  return entity && { status: 200, data: { type: 'array', items: { $ref: `${PLACE}${entity.entity}` } } };
}

/** What a route answers programs; undefined for one that nothing describes. */
export function describeAnswer(route: Pick<RouteInfo, 'method' | 'path' | 'answersAs' | 'programs'>): DescribedAnswer | undefined {
  const answer = readDescribedAnswers().answers[route.answersAs ?? `${route.method} ${route.path}`] ?? listOfResource(route);
  return answer?.data ? { ...answer, data: withProgramTypes(answer.data, route.programs?.types) } : answer;
}
