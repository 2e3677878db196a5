import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { isSignedBy, readSignature, type SigningKey } from './signature.ts';

/** Contents and keys never change, so that an answer stays right; the oldest ones are forgotten. */
const KEPT = 500;
const verdicts = new Map<string, Promise<boolean>>();

type SignedFile = Pick<Row<'files'>, 'content_key' | 'sha256' | 'signature'>;

async function check(ctx: Context, file: SignedFile, key: SigningKey): Promise<boolean> {
  const signature = file.signature === null ? undefined : readSignature(file.signature);
  if (!signature) return false;
  return isSignedBy(signature, key, async () => {
    const content = await ctx.files.read(file.content_key);
    if (!content) throw new Error('a signed file without its content');
    return content;
  });
}

/** Whether one of these keys made the signature of a file. A file without a signature, or whose content is gone, is signed by none. */
export async function isSigned(ctx: Context, file: SignedFile, keys: readonly SigningKey[]): Promise<boolean> {
  for (const key of keys) {
    const name = `${file.sha256} ${key.publicKey} ${file.signature ?? ''}`;
    let verdict = verdicts.get(name);
    if (!verdict) {
      verdict = check(ctx, file, key);
      verdicts.set(name, verdict);
      verdict.catch(() => verdicts.delete(name));
      const [oldest] = verdicts.keys();
      if (verdicts.size > KEPT && oldest !== undefined) verdicts.delete(oldest);
    }
    if (await verdict.catch(() => false)) return true;
  }
  return false;
}

/** The keys that count for companies, by company: their own and those of the companies above. `paths`: of the companies. */
export async function keysFor(ctx: Context, paths: ReadonlyMap<number, string>): Promise<Map<number, SigningKey[]>> {
  const idsOf = (path: string): number[] => path.split('/').filter(Boolean).map(Number);
  const ids = [...new Set([...paths.values()].flatMap(idsOf))];
  if (ids.length === 0) return new Map();
  const rows = await ctx.reads
    .selectFrom('signing_keys')
    .select(['company_id', 'key_id', 'public_key'])
    .where('company_id', 'in', ctx.database.tools.idList(ids))
    .execute();
  if (rows.length === 0) return new Map();
  return new Map(
    [...paths].map(([id, path]) => {
      const above = new Set(idsOf(path));
      const keys = rows.filter((row) => above.has(row.company_id));
      return [id, keys.map(({ key_id, public_key }) => ({ keyId: key_id, publicKey: public_key }))];
    }),
  );
}
