import type { HtmlTagDescriptor, Plugin } from 'vite';

/** The part of a bundle's chunk that says what it needs. */
interface Chunk {
  type: 'chunk';
  fileName: string;
  moduleIds: string[];
  imports: string[];
  viteMetadata?: { importedCss: Set<string> };
}

// Matches `assets/texts-nb-CJsD2.js` and `assets/console-texts-nb-CJsD2.js`.
const LANGUAGE = /assets\/(console-)?texts-([a-z]+)-/;

/** What every signed-in console asks first. A read that differs from these in one letter is asked twice; the start-up tests count. */
const OWN_READS = ['/user', '/storage?limit=100'];

// With the credentials of the console's own calls, else browsers send a second request.
const READ_LINKS: HtmlTagDescriptor[] = OWN_READS.map((path) => ({
  tag: 'link',
  attrs: { rel: 'preload', as: 'fetch', crossorigin: 'use-credentials', href: `/api${path}`, 'data-session': true },
  injectTo: 'head',
}));

/** The files that a module's chunk cannot run without, its own first. */
function filesOf(chunks: ReadonlyMap<string, Chunk>, start: Chunk): Chunk[] {
  const found = new Set([start]);
  for (const chunk of found) for (const name of chunk.imports) found.add(chunks.get(name) ?? chunk);
  return [...found];
}

/**
 * Lists in the page itself the files that the start of the console needs, so that all of them are fetched at once instead of one
 * layer after the other. `modules` are endings of module paths, `fonts` beginnings of file names: a font that comes after the first drawing
 * has everything drawn again. Each language's texts are marked with `data-language`, and reads of the API that need a session with
 * `data-session`; the server removes those that the page at hand does not need.
 */
export function preloadStart(modules: readonly string[], fonts: readonly string[]): Plugin {
  return {
    name: 'canopy-preload-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = new Map(
          Object.values(bundle).flatMap((file): [string, Chunk][] => (file.type === 'chunk' ? [[file.fileName, file]] : [])),
        );
        const withModule = (ending: string): Chunk => {
          const chunk = [...chunks.values()].find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(ending)));
          if (!chunk) throw new Error(`No chunk holds ${ending}`);
          return chunk;
        };
        const needed = new Set(modules.flatMap((ending) => filesOf(chunks, withModule(ending))));
        const isNew = (name: string): boolean => !html.includes(name);
        const link = (attrs: Record<string, string | boolean>): HtmlTagDescriptor => ({ tag: 'link', attrs, injectTo: 'head' });
        const scripts = [...needed]
          .filter(({ fileName }) => isNew(fileName))
          .map(({ fileName }) => link({ rel: 'modulepreload', crossorigin: '', href: `/${fileName}` }));
        const styles = [...new Set([...needed].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))]
          .filter(isNew)
          .map((name) => link({ rel: 'preload', as: 'style', crossorigin: '', href: `/${name}` }));
        const texts = [...chunks.values()].flatMap(({ fileName }) => {
          const [, console, language] = LANGUAGE.exec(fileName) ?? [];
          if (language === undefined) return [];
          const attrs = { rel: 'modulepreload', crossorigin: '', href: `/${fileName}`, 'data-language': language };
          return [link(console === undefined ? attrs : { ...attrs, 'data-session': true })];
        });
        const letters = Object.keys(bundle)
          .filter((name) => fonts.some((start) => name.startsWith(`assets/${start}`)))
          .map((name) => link({ rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${name}` }));
        return [...scripts, ...styles, ...letters, ...texts, ...READ_LINKS];
      },
    },
  };
}
