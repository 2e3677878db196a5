import { writeFileSync } from 'node:fs';
import { serveHelper } from '../../server/kernel/costly/serve-helper.ts';
import { NameTaken } from '../../server/kernel/errors.ts';

export interface SpinInput {
  work: 'for-ever' | 'fill-memory' | 'refuse' | 'answer';
  /** Where the helper writes its process id once it works. */
  pidFile: string;
}

serveHelper(async ({ work, pidFile }: SpinInput) => {
  writeFileSync(pidFile, String(process.pid));
  if (work === 'refuse') throw new NameTaken({ name: 'Harbour' }, { source: 'name' });
  const kept: object[] = [];
  if (work !== 'answer') for (let count = 0; ; count += 1) if (work === 'fill-memory') kept.push({ count });
  return { environment: Object.keys(process.env), kept };
});
