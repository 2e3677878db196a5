export type GuideGroup = 'fleet' | 'access' | 'administration' | 'programs' | 'installation';

/** Words of a guide. `to`: an address of the console, a place in the page (`#…`), or a site. */
export type GuideInline =
  string | { code: string } | { strong: boolean; parts: readonly GuideInline[] } | { to: string; parts: readonly GuideInline[] };

export type GuideBlock =
  | { type: 'heading'; level: number; id: string; parts: readonly GuideInline[] }
  | { type: 'text'; parts: readonly GuideInline[] }
  | { type: 'code'; text: string }
  | { type: 'list'; isOrdered: boolean; items: readonly (readonly GuideBlock[])[] }
  | { type: 'table'; head: readonly (readonly GuideInline[])[]; rows: readonly (readonly (readonly GuideInline[])[])[] };

/** A page of the documentation as data. */
export interface Guide {
  id: string;
  group: GuideGroup;
  title: string;
  blocks: readonly GuideBlock[];
}

export const GUIDE_GROUPS: readonly GuideGroup[] = ['fleet', 'access', 'administration', 'programs', 'installation'];

/** The words of parts. */
export function partsText(parts: readonly GuideInline[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : 'code' in part ? part.code : partsText(part.parts))).join('');
}

/** The words of a block. */
export function blockText(block: GuideBlock): string {
  if (block.type === 'heading' || block.type === 'text') return partsText(block.parts);
  if (block.type === 'code') return block.text;
  if (block.type === 'list') return block.items.flatMap((item) => item.map(blockText)).join(' ');
  return [block.head, ...block.rows].flatMap((row) => row.map(partsText)).join(' ');
}

export interface Section {
  guide: Guide;
  /** The id of the heading; none for what comes before the first one. */
  id: string | undefined;
  title: string;
  text: string;
}

/** A guide cut at its headings. */
function sectionsOf(guide: Guide): Section[] {
  const sections: Section[] = [{ guide, id: undefined, title: guide.title, text: '' }];
  for (const block of guide.blocks) {
    const last = sections.at(-1);
    if (block.type === 'heading') sections.push({ guide, id: block.id, title: partsText(block.parts), text: '' });
    else if (last) last.text += `${last.text === '' ? '' : ' '}${blockText(block)}`;
  }
  return sections;
}

const MAX_HITS = 40;

/** The sections that hold every word of the search, those with the words in their title first. */
export function searchGuides(guides: readonly Guide[], query: string): Section[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const scoreOf = ({ guide, title, text }: Section): number => {
    const head = `${guide.title} ${title}`.toLocaleLowerCase();
    const all = `${head} ${text.toLocaleLowerCase()}`;
    return words.every((word) => all.includes(word)) ? 1 + words.filter((word) => head.includes(word)).length : 0;
  };
  return guides
    .flatMap(sectionsOf)
    .map((section) => ({ section, score: scoreOf(section) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_HITS)
    .map(({ section }) => section);
}

/** The words around the first one that was searched for. */
export function excerptOf(text: string, query: string): string {
  const word = query.toLocaleLowerCase().split(/\s+/).find(Boolean) ?? '';
  const near = text.toLocaleLowerCase().indexOf(word) - 50;
  const at = near <= 0 ? 0 : text.indexOf(' ', near) + 1;
  const cut = text.slice(at, at + 160).trim();
  return `${at > 0 ? '…' : ''}${cut}${at + 160 < text.length ? '…' : ''}`;
}
