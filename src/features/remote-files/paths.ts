/** A file that was dropped, with its place below the folder that it was dropped into. */
export interface DroppedFile {
  path: string;
  file: File;
}

/** Files that are uploaded at once. */
export const MOST_FILES = 5000;

export const joinPath = (folder: string, name: string): string => `${folder === '/' ? '' : folder}/${name}`;
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

/** `0o640` → `rw-r-----`. */
export function modeText(mode: number): string {
  return [6, 3, 0].map((shift) => [...'rwx'].map((letter, index) => ((mode >> shift) & (4 >> index) ? letter : '-')).join('')).join('');
}

async function readFolder(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    // A browser gives a hundred at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** The files of a folder that was chosen, and the folders in it in the order in which they are made. */
export function collectChosen(chosen: readonly File[]): { files: DroppedFile[]; folders: string[] } {
  const files = chosen.map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  const folders = new Set<string>();
  for (const { path } of files) {
    const parts = path.split('/').slice(0, -1);
    for (let depth = 1; depth <= parts.length; depth += 1) folders.add(parts.slice(0, depth).join('/'));
  }
  return { files, folders: [...folders] };
}

/** The files of what was dropped, folders with all that is in them, no further than one too many; `folders` in the order in which they are made. */
export async function collectDropped({ items }: DataTransfer): Promise<{ files: DroppedFile[]; folders: string[] }> {
  const files: DroppedFile[] = [];
  const folders: string[] = [];
  const collect = async (entry: FileSystemEntry, prefix: string): Promise<void> => {
    if (files.length > MOST_FILES) return;
    const path = prefix + entry.name;
    if (entry instanceof FileSystemFileEntry)
      files.push({ path, file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) });
    if (!(entry instanceof FileSystemDirectoryEntry)) return;
    folders.push(path);
    for (const inner of await readFolder(entry)) await collect(inner, `${path}/`);
  };
  // They are gone after the first wait.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  for (const entry of entries) await collect(entry, '');
  return { files, folders };
}
