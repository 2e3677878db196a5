import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Answer } from '../../kernel/answer.ts';
import { answerWithFile } from '../../domain/files/answer-with-file.ts';
import { requireFile } from './service.ts';

/** One file's bytes, whole or in part. Throws NOT_FOUND, FILE_CONTENT_MISSING. */
export async function downloadFile(ctx: Context, actor: Actor, id: number, request: Pick<FastifyRequest, 'headers'>): Promise<Answer> {
  return answerWithFile(ctx, await requireFile(ctx.reads, actor, id), request);
}
