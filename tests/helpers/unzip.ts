import { fromBuffer } from 'yauzl';

/** The entries of a ZIP: name → text. */
export function unzip(bytes: Buffer): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      const entries: Record<string, string> = {};
      zip.on('entry', (entry: { fileName: string }) => {
        zip.openReadStream(entry as never, (failure, content) => {
          if (failure) return reject(failure);
          const chunks: Buffer[] = [];
          content.on('data', (chunk: Buffer) => chunks.push(chunk));
          content.on('end', () => {
            entries[entry.fileName] = Buffer.concat(chunks).toString();
            zip.readEntry();
          });
        });
      });
      zip.on('end', () => resolve(entries));
      zip.readEntry();
    });
  });
}
