import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { InvalidFields, UnsupportedContentType } from './errors.ts';

// Matches `application/json` and `application/json; charset=utf-8`, nothing else.
const JSON_TYPE = /^application\/json(?:;\s*charset=utf-8)?$/i;

function hasBody(request: FastifyRequest): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const missing: unknown = error.params['missingProperty'] ?? error.params['additionalProperty'];
  return typeof missing === 'string' ? (path ? `${path}.${missing}` : missing) : path;
}

/**
 * Strict bodies: JSON only, parsed without prototype keys; validated with all errors and without coercion or removal.
 * Path and query parameters are texts, so those two are coerced.
 */
export function registerBodyRules(fastify: FastifyInstance): void {
  const options = { allErrors: true, multipleOfPrecision: 6, strict: false } as const;
  const strict = new Ajv(options);
  const coercing = new Ajv({ ...options, coerceTypes: true });
  addFormats.default(strict);
  addFormats.default(coercing);

  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, fastify.getDefaultJsonParser('error', 'error'));
  fastify.addHook('onRequest', async (request) => {
    if (hasBody(request) && !JSON_TYPE.test(request.headers['content-type'] ?? '')) throw new UnsupportedContentType({});
  });
  fastify.setValidatorCompiler(({ schema, httpPart }) => {
    const validate = (httpPart === 'body' ? strict : coercing).compile(schema as object);
    return (data: unknown) => {
      if (validate(data)) return { value: data };
      const errors = (validate.errors ?? []).filter((error) => error.keyword !== 'if');
      return {
        error: new InvalidFields(errors.map((error) => ({ source: fieldOf(error), message: error.message ?? 'Check this field.' }))),
      };
    };
  });
}
