import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

const SMALLEST_BYTES = 4096;
const FAST = 4;

/** Compresses long answers of reading calls, but no downloads. Files of the console are compressed once, where they are served. */
export async function registerCompression(fastify: FastifyInstance): Promise<void> {
  // The library takes any bytes for compressible: a download would lose its length and cost the server more than sending it.
  fastify.addHook('onSend', async (request, reply, payload) => {
    if (String(reply.getHeader('content-type')).startsWith('application/octet-stream')) request.headers['x-no-compression'] = 'on';
    return payload;
  });
  await fastify.register(compress, {
    threshold: SMALLEST_BYTES,
    // A few bytes from anybody would become megabytes here; the body rules refuse encoded bodies.
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    customTypes: /^(?:application\/json|text\/csv)\b/,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: FAST } },
  });
}
