import type { FormFile, ErrorItem } from '../../../schemas/kit/form/types.ts';
import { compileForm } from '../../../schemas/kit/codegen/compile-form.ts';
import type { Context } from '../../context.ts';
import { isUniqueViolation } from '../../db/dialect.ts';
import type { Trx } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { NotFound } from '../../kernel/errors.ts';
import { bodySchemaOf } from '../../kernel/form-route.ts';
import { createSerialQueue } from '../../kernel/serial-queue.ts';
import { FormChanged, InvalidForm } from './errors.ts';
import { isFormIdShape, readFolder, removeFormFile, writeFormFile, type FolderContent } from './folder.ts';
import type { Finding, Inspection } from './inspect.ts';
import type { Inspector } from './inspector.ts';
import { addVersion, findLatest, hashOf, type Version } from './repo.ts';
import { warningsOf } from './warnings.ts';

/** A form that was found right, ready to be drawn and sent. */
export interface CompiledForm {
  form: FormFile;
  /** The browser's module, and the hash that names it. */
  code: string;
  hash: string;
  version: Pick<Version, 'number'>;
  check(data: unknown): ErrorItem[];
}

/** A form in use: its newest text that was right. */
export interface UsableForm extends CompiledForm {
  version: Version;
}

/** A form of the folder. */
export interface AddedForm {
  id: string;
  /** What is in the folder now; undefined for a file that cannot be read. */
  text: string | undefined;
  findings: Finding[];
  /** The last good version: the text in the folder when there are no findings. */
  usable: UsableForm | undefined;
}

/** What a person saves, and over which text of the folder. */
export interface Saving {
  id: string;
  text: string;
  /** The hash of the text that was read before; undefined for a form that is new. */
  over: string | undefined;
  note: string;
  action: 'forms.save' | 'forms.restore';
}

/** A right form with what sending it needs, under the number of its version. */
export function usableFrom<V extends CompiledForm['version']>(
  { form, code }: Inspection & { isUsable: true },
  version: V,
): CompiledForm & { version: V } {
  return { form, code, hash: hashOf(code).slice(0, 32), version, check: compileForm(form, bodySchemaOf(form)) };
}

export type Catalogue = ReturnType<typeof createCatalogue>;

/**
 * The added forms: what the folder holds, judged, with the last good version of each from the database. Whatever changes it runs one after the
 * other, so that a save and a scan of the folder never overlap.
 */
export function createCatalogue(ctx: Context, inspector: Inspector) {
  const dir = ctx.config.formsDir;
  const forms = new Map<string, AddedForm>();
  let odd: FolderContent['odd'] = new Map();
  const inTurn = createSerialQueue();

  function announce(): void {
    ctx.live.publish('forms', 'FormsChanged', { at: wireTime(ctx.clock.now()) });
  }

  /** The version of a file that somebody changed in the folder; another process may have seen the same change. */
  async function noteVersion(id: string, text: string): Promise<Version> {
    const row = { form_id: id, text, user_id: null, user_name: '', note: '', at: ctx.clock.now() };
    try {
      return await inTransaction(ctx.db, (trx) => addVersion(trx, row));
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      return inTransaction(ctx.db, (trx) => addVersion(trx, row));
    }
  }

  /** After a restart: the newest version that the database has, while the file is broken. */
  async function recall(id: string): Promise<UsableForm | undefined> {
    const latest = await findLatest(ctx.db, id);
    if (!latest) return undefined;
    const inspection = await inspector.inspect(id, latest.text);
    return inspection.isUsable ? usableFrom(inspection, latest) : undefined;
  }

  async function take(id: string, text: string): Promise<void> {
    const inspection = await inspector.inspect(id, text);
    if (inspection.isUsable) {
      const usable = usableFrom(inspection, await noteVersion(id, text));
      forms.set(id, { id, text, findings: [], usable });
      log(id, usable, warningsOf(usable.form, text, ctx.config.webhooks.keys()));
      return;
    }
    await refuse(id, text, inspection.findings);
  }

  async function refuse(id: string, text: string | undefined, findings: Finding[]): Promise<void> {
    const usable = forms.get(id)?.usable ?? (await recall(id));
    forms.set(id, { id, text, findings, usable });
    log(id, usable, findings);
  }

  function log(id: string, usable: UsableForm | undefined, findings: readonly Finding[]): void {
    for (const { line, column, code, message } of findings)
      ctx.log.warn({ form: id, version: usable?.version.number ?? null }, `${id}.form.json:${line}:${column} ${code} ${message}`);
  }

  async function scan(): Promise<void> {
    const content = await readFolder(dir);
    let hasChanged = false;
    for (const [id, text] of content.texts) {
      if (forms.get(id)?.text === text) continue;
      await take(id, text);
      hasChanged = true;
    }
    for (const [id, finding] of content.refused) {
      const known = forms.get(id);
      if (known && known.text === undefined) continue;
      await refuse(id, undefined, [finding]);
      hasChanged = true;
    }
    for (const id of forms.keys()) {
      if (content.texts.has(id) || content.refused.has(id)) continue;
      forms.delete(id);
      hasChanged = true;
    }
    for (const [path, finding] of content.odd) if (!odd.has(path)) ctx.log.warn({ path }, `${path}:1:1 ${finding.code} ${finding.message}`);
    odd = content.odd;
    if (hasChanged) announce();
  }

  function assertUnchanged(known: AddedForm | undefined, over: string | undefined, yours: string): void {
    const theirs = known?.text === undefined ? undefined : hashOf(known.text);
    if (theirs !== over) throw new FormChanged({ yours, theirs: theirs ?? '' }, { meta: { yours, theirs: theirs ?? '' } });
  }

  function audit(
    trx: Trx,
    { actor, origin }: Caller,
    entry: { action: string; id: string; before: Version | undefined; after: Version | undefined },
  ) {
    const describe = (version: Version | undefined) =>
      version && { id: entry.id, version: version.number, sha256: version.sha256, note: version.note };
    return writeAudit(trx, { actor, origin, at: ctx.clock.now() }, [
      {
        action: entry.action,
        entity: 'form',
        entityId: null,
        entityName: entry.id,
        companyId: actor.companyId,
        before: describe(entry.before) ?? null,
        after: describe(entry.after) ?? null,
      },
    ]);
  }

  return {
    /** Reads the folder again and takes what changed. */
    refresh: (): Promise<void> => inTurn(scan),
    all: (): AddedForm[] => [...forms.values()].toSorted((a, b) => a.id.localeCompare(b.id)),
    find: (id: string): AddedForm | undefined => forms.get(id),
    /** Files of the folder that are no forms, by path, with why. */
    odd: (): ReadonlyMap<string, Finding> => odd,

    /** Saves a text as the form's newest version and into the folder. Throws INVALID_FORM with the findings, and FORM_CHANGED when it is not over the present text. */
    save: (caller: Caller, { id, text, over, note, action }: Saving): Promise<AddedForm> =>
      inTurn(async () => {
        await scan();
        if (!isFormIdShape(id)) throw new NotFound({});
        assertUnchanged(forms.get(id), over, hashOf(text));
        const inspection = await inspector.inspect(id, text);
        if (!inspection.isUsable) throw new InvalidForm(inspection.findings);
        const at = ctx.clock.now();
        const version = await inTransaction(ctx.db, async (trx) => {
          const before = await findLatest(trx, id);
          const row = { form_id: id, text, user_id: caller.actor.userId, user_name: caller.actor.name, note, at };
          const after = await addVersion(trx, row);
          await audit(trx, caller, { action, id, before, after });
          // Last: a file without its version becomes one at the next scan, a version without its file would be believed.
          await writeFormFile(dir, id, text);
          return after;
        });
        const saved = { id, text, findings: [], usable: usableFrom(inspection, version) };
        forms.set(id, saved);
        announce();
        return saved;
      }),

    /** Takes a form out of the folder; its versions stay. Throws NOT_FOUND and FORM_CHANGED. */
    remove: (caller: Caller, { id, over }: { id: string; over: string | undefined }): Promise<void> =>
      inTurn(async () => {
        await scan();
        const known = forms.get(id);
        if (!known) throw new NotFound({});
        // What cannot be read has no hash to know it by.
        if (known.text !== undefined) assertUnchanged(known, over, '');
        await inTransaction(ctx.db, async (trx) => {
          await audit(trx, caller, { action: 'forms.remove', id, before: known.usable?.version, after: undefined });
          await removeFormFile(dir, id);
        });
        forms.delete(id);
        announce();
      }),

    /** Resolves when nothing is being read or saved. */
    settled: (): Promise<void> => inTurn(async () => undefined),

    /** Judges a text without keeping anything, as `Inspector.inspect` does. */
    check: (id: string, text: string, isShipped: boolean): Promise<Inspection> => inspector.inspect(id, text, isShipped),
  };
}
