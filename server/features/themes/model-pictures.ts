import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { Upload } from '../../kernel/http/uploads.ts';
import { MODEL_PICTURE } from '../../domain/themes.ts';
import { TooManyPictures } from './errors.ts';
import { readPicture, replacePicture } from './pictures.ts';
import { requireTop } from './service.ts';
import { publishTheme } from './publish-theme.ts';

const MAX_MODELS = 100;

type ModelKind = `${typeof MODEL_PICTURE}${string}`;

function findModels(trx: Trx, companyId: number) {
  return trx
    .selectFrom('theme_pictures')
    .select('kind')
    .where('company_id', '=', companyId)
    .where('kind', 'like', `${MODEL_PICTURE}%`)
    .execute();
}

async function changeModel(
  ctx: Context,
  { actor, origin }: Caller,
  companyId: number,
  model: string,
  action: 'themes.model-picture' | 'themes.remove-model-picture',
  change: (trx: Trx, kind: ModelKind, hadOne: boolean, count: number) => Promise<void>,
): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const company = await requireTop(trx, actor, companyId);
    const kind: ModelKind = `${MODEL_PICTURE}${model}`;
    const models = await findModels(trx, company.id);
    const hadOne = models.some((entry) => entry.kind === kind);
    await trx
      .insertInto('themes')
      .values({ company_id: company.id, host_name: null, branding: '{}', updated_at: at })
      .onConflict((conflict) => conflict.column('company_id').doUpdateSet({ updated_at: at }))
      .execute();
    await change(trx, kind, hadOne, models.length);
    const before = hadOne ? { original_model: model } : null;
    const after = action === 'themes.model-picture' ? { original_model: model, new_picture: true } : null;
    await writeAudit(trx, { actor, origin, at }, [
      { action, entity: 'theme', entityId: company.id, entityName: company.name, companyId: company.id, before, after },
    ]);
    await publishTheme(ctx, trx, { path: company.path, changedBy: actor.userId, hasOtherParts: false });
  });
}

/** Gives a model of devices a picture, which `upload` hands over, in the theme of a top-level company. Throws NOT_FOUND, NOT_TOP_LEVEL, PICTURE_REFUSED or TOO_MANY_PICTURES at their fields. */
export async function setModelPicture(ctx: Context, caller: Caller, companyId: number, model: string, upload: () => Upload): Promise<void> {
  // @NOTE The company first: one that the actor does not see answers nothing of what was sent.
  await requireTop(ctx.reads, caller.actor, companyId);
  const picture = await readPicture('model_image', upload());
  await changeModel(ctx, caller, companyId, model, 'themes.model-picture', async (trx, kind, hadOne, count) => {
    if (!hadOne && count >= MAX_MODELS) throw new TooManyPictures({ max: MAX_MODELS }, { source: 'original_model' });
    await replacePicture(trx, companyId, kind, picture);
  });
}

/** Takes the picture of a model away. Throws NOT_FOUND, NOT_TOP_LEVEL. */
export async function removeModelPicture(ctx: Context, caller: Caller, companyId: number, model: string): Promise<void> {
  await changeModel(ctx, caller, companyId, model, 'themes.remove-model-picture', async (trx, kind, hadOne) => {
    if (!hadOne) throw new NotFound({}, { source: 'original_model' });
    await replacePicture(trx, companyId, kind, undefined);
  });
}
