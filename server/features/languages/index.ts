import { ok, stream } from '../../kernel/answer.ts';
import { SECOND } from '../../kernel/clock.ts';
import { NotFound } from '../../kernel/errors.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { watchFolder } from '../../kernel/watch-folder.ts';
import { createLanguageCatalogue } from './catalogue.ts';

/** What a watch misses (network drives, a folder that was replaced) is found by this scan. */
const SCAN_MS = 10 * SECOND;
/** Every start of a console asks, also many behind one address. */
const RATE = 1200;

/** The languages room: what the folder of languages adds to the console's own, for everybody. */
export async function registerLanguages(app: App): Promise<void> {
  const { ctx, fastify } = app;
  const { localesDir } = ctx.config;
  const catalogue = createLanguageCatalogue(localesDir, ctx.log);
  const scan = (): Promise<void> =>
    catalogue.refresh().catch((error: unknown) => ctx.log.warn({ err: error }, 'the folder of languages could not be looked at'));
  route(app, {
    method: 'GET',
    path: '/languages',
    access: 'public',
    summary: 'The languages that this installation adds or changes, with how complete each is.',
    tag: 'languages',
    ratePerMinute: RATE,
    handler: () => Promise.resolve(ok(catalogue.all().map(({ code, name, percent, hash }) => ({ code, name, percent, hash })))),
  });
  route(app, {
    method: 'GET',
    path: '/languages/:code/:hash',
    access: 'public',
    summary: 'The texts that this installation adds to a language.',
    mediaType: 'application/json',
    answer: {
      type: 'object',
      description: 'Texts by key; those of a room are below its name.',
      additionalProperties: { type: ['string', 'object'] },
    },
    tag: 'languages',
    ratePerMinute: RATE,
    params: Type.Object({ code: Type.String({ maxLength: 20 }), hash: Type.String({ maxLength: 64 }) }),
    handler({ params }) {
      const language = catalogue.find(params.code);
      if (language?.hash !== params.hash) throw new NotFound({});
      return Promise.resolve(
        stream(Buffer.from(JSON.stringify(language.texts)), {
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'public, max-age=31536000, immutable',
        }),
      );
    },
  });
  await scan();
  const stopWatching = watchFolder(
    localesDir,
    () => void scan(),
    (error) => ctx.log.warn({ err: error }, 'the folder of languages is not watched'),
  );
  const stopLooking = ctx.clock.every(SCAN_MS, scan);
  fastify.addHook('onClose', () => {
    stopWatching();
    stopLooking();
  });
}
