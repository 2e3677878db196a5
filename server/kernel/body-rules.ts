import { isUtf8 } from 'node:buffer';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { compileBody, makeAjv } from '../../schemas/kit/form/compile-body.ts';
import type { ErrorItem, JsonSchema } from '../../schemas/kit/form/types.ts';
import { AppError, InvalidFields, InvalidJson, NotFound, UnsupportedContentEncoding, UnsupportedContentType } from './errors.ts';

// Matches `application/json` and `application/json; charset=utf-8`, nothing else.
const JSON_TYPE = /^application\/json(?:;\s*charset=utf-8)?$/i;

// Matches `multipart/form-data; boundary=x`.
const MULTIPART_TYPE = /^multipart\/form-data;\s*boundary=\S/i;

// The form of OAuth 2, for the routes that say so.
const FORM_TYPE = /^application\/x-www-form-urlencoded(?:;\s*charset=utf-8)?$/i;

// The escape `\u0000`, not the six letters `\\u0000`. No text in a database may hold it.
const NUL = /(?<!\\)(?:\\\\)*\\u0000/;

// An escape of half a character outside the first 65,536, such as `\ud83d`; whole ones are two of them.
const HALF = /(?<!\\)(?:\\\\)*\\ud[89a-f]/i;

/** The text of a body. Throws for bytes that are no UTF-8, and for what no text in a database may hold: a NUL, half a character. */
function readJsonText(body: Buffer): string {
  if (!isUtf8(body)) throw new SyntaxError('bytes that are no UTF-8');
  const text = body.toString();
  if (NUL.test(text)) throw new SyntaxError('a text with a NUL in it');
  // Written again, whole characters are no escapes any more.
  if (HALF.test(text) && HALF.test(JSON.stringify(JSON.parse(text)))) throw new SyntaxError('half a character');
  return text;
}

function hasBody(request: FastifyRequest): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function isPlain(encoding: string | undefined): boolean {
  return encoding === undefined || encoding.trim().toLowerCase() === 'identity';
}

function codeOf(item: ErrorItem): 'UNKNOWN_FIELD' | 'INVALID_FIELD' {
  return item.code === 'UNKNOWN_FIELD' ? 'UNKNOWN_FIELD' : 'INVALID_FIELD';
}

/** The error that a body's items are answered with; undefined without items. */
export function refuseItems([first, ...rest]: ErrorItem[]): AppError | undefined {
  return first && new AppError([{ ...first, code: codeOf(first) }, ...rest]);
}

type Check = (data: unknown) => { value: unknown } | { error: Error };

/** Compiled when the first call comes: most of a start would otherwise go into rules that nobody has asked for yet. */
function whenFirstUsed(make: () => Check): Check {
  let check: Check | undefined;
  return (data) => {
    check ??= make();
    return check(data);
  };
}

/** Throws the refusal that these items say; nothing when there are none. */
export function assertFits(items: ErrorItem[]): void {
  const error = refuseItems(items);
  if (error) throw error;
}

/** What is wrong with a body; nothing when it is right. */
export type BodyCheck = (data: unknown) => ErrorItem[];

function bodyCheck(check: BodyCheck): Check {
  return (data) => {
    const error = refuseItems(check(data));
    return error ? { error } : { value: data };
  };
}

// Path and query parameters are texts. Their rules are written in code, so nothing needs to check the rules themselves.
const coercing = makeAjv({ coerceTypes: true, validateSchema: false });

const compiledTexts = new WeakMap<JsonSchema, ValidateFunction>();

/** The same schema object is compiled once. */
function compileTexts(schema: JsonSchema): ValidateFunction {
  const validate = compiledTexts.get(schema) ?? coercing.compile(schema);
  // Ajv would keep every schema for ever; ours go when their owner lets them go.
  coercing.removeSchema(schema);
  compiledTexts.set(schema, validate);
  return validate;
}

/** A path parameter that cannot be an id is as unknown as an id that nothing has. */
function paramsCheck(schema: JsonSchema): Check {
  const validate = compileTexts(schema);
  return (data) => (validate(data) ? { value: data } : { error: new NotFound({}) });
}

function queryCheck(schema: JsonSchema): Check {
  const validate = compileTexts(schema);
  const describe = (error: ErrorObject) => {
    const missing: unknown = error.params['missingProperty'];
    const source = typeof missing === 'string' ? missing : error.instancePath.slice(1).replaceAll('/', '.');
    return { source, message: 'This value cannot be used.' };
  };
  return (data) => (validate(data) ? { value: data } : { error: new InvalidFields((validate.errors ?? []).map(describe)) });
}

type Compile = (part: { schema: object; httpPart?: string }) => Check;

/** How the parts of a call are checked: by their schemas, the body by `checkBody` where a route knows better. */
export function validatorCompiler(checkBody?: BodyCheck): Compile {
  return ({ schema, httpPart }) =>
    whenFirstUsed(() => {
      if (httpPart === 'body') return bodyCheck(checkBody ?? compileBody(schema));
      return httpPart === 'params' ? paramsCheck(schema) : queryCheck(schema);
    });
}

/**
 * Strict bodies: JSON only and not compressed, parsed without prototype keys; validated with all errors and without coercion or removal; none sent is an
 * empty object. Path and query parameters are texts, so those two are coerced.
 */
export function registerBodyRules(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    // Programs that name the type for all calls send it without a body too.
    if (body.length === 0) return done(null, undefined);
    try {
      parse(request, readJsonText(body), done);
    } catch (error) {
      // No text, or nested so deeply that the parser's stack ends.
      done(new InvalidJson({}, { cause: error }));
    }
  });
  fastify.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    const declared = Object.keys((request.routeOptions.schema?.body as JsonSchema | undefined)?.properties ?? {});
    const given = new URLSearchParams(String(body));
    // RFC 6749, 3.2: what is not known is ignored, and nothing is sent twice. Without anything that is known it is no such form.
    const isForm = declared.some((name) => given.has(name)) || String(body) === '';
    if (!isForm || declared.some((name) => given.getAll(name).length > 1)) return done(new InvalidJson({}));
    done(null, Object.fromEntries(declared.flatMap((name) => (given.get(name) ? [[name, given.get(name)]] : []))));
  });
  fastify.addHook('onRequest', async (request, reply) => {
    if (!isPlain(request.headers['content-encoding'])) {
      // RFC 9110, 15.5.16: the answer names what would have been taken.
      reply.header('accept-encoding', 'identity');
      throw new UnsupportedContentEncoding({});
    }
    const type = request.headers['content-type'] ?? '';
    if (request.routeOptions.config.takesFiles && MULTIPART_TYPE.test(type)) return;
    if (request.routeOptions.config.takesForm && FORM_TYPE.test(type)) return;
    if (hasBody(request) && !JSON_TYPE.test(type)) throw new UnsupportedContentType({});
  });
  fastify.addHook('preValidation', async (request) => {
    if (request.body === undefined && request.routeOptions.schema?.body !== undefined) request.body = {};
  });
  fastify.setValidatorCompiler(validatorCompiler());
}
