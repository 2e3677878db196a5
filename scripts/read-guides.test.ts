import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import helpFile from '../schemas/help.json' with { type: 'json' };
import { searchGuides, type GuideBlock, type GuideInline } from '../src/features/help/guide.ts';
import { GUIDES } from './help-plugin.ts';
import { readGuides } from './read-guides.ts';

const guides = readGuides(GUIDES, (file) => readFileSync(file, 'utf8'));
const idsOf = (id: string): string[] =>
  guides.find((guide) => guide.id === id)?.blocks.flatMap((block) => (block.type === 'heading' ? [block.id] : [])) ?? [];
const isThere = (path: string): boolean => {
  const [id = '', heading] = path.replace(/^\/(?:help\/)?/, '').split('#');
  return guides.some((guide) => guide.id === id) && (heading === undefined || idsOf(id).includes(heading));
};

function linksOf(parts: readonly GuideInline[]): string[] {
  return parts.flatMap((part) => (typeof part === 'string' || 'code' in part ? [] : 'to' in part ? [part.to] : linksOf(part.parts)));
}
function linksIn(blocks: readonly GuideBlock[]): string[] {
  return blocks.flatMap((block) => {
    if (block.type === 'text' || block.type === 'heading') return linksOf(block.parts);
    if (block.type === 'list') return block.items.flatMap(linksIn);
    return block.type === 'table' ? [block.head, ...block.rows].flatMap((row) => row.flatMap(linksOf)) : [];
  });
}

describe('the guides of the console', () => {
  test('every help link leads to a guide, and to a heading in it where it names one', () => {
    expect(
      Object.values(helpFile.help)
        .map(({ path }) => path)
        .filter((path) => !isThere(path)),
    ).toEqual([]);
  });

  test('links from one guide to another lead to a page of the console', () => {
    const links = guides.flatMap((guide) => linksIn(guide.blocks).map((to) => (to.startsWith('#') ? `/help/${guide.id}${to}` : to)));
    const own = links.filter((to) => to.startsWith('/'));
    expect(own.length).toBeGreaterThan(5);
    expect(own.filter((to) => !isThere(to))).toEqual([]);
  });

  test('HTML of a file becomes words, and a link that is no page of the console becomes its text', () => {
    const [guide] = readGuides([{ id: 'x', group: 'fleet', file: 'docs/x.md' }], () =>
      [
        '# X',
        '',
        '[bad](javascript:alert(1)) and [file](../server/main.ts) and <img src=x onerror=alert(1)>',
        '',
        '<script>alert(1)</script>',
      ].join('\n'),
    );
    expect(linksIn(guide?.blocks ?? [])).toEqual([]);
    expect(JSON.stringify(guide)).not.toMatch(/onerror|"to"/);
  });

  test('a search finds the section with the words in its heading first', () => {
    const [first] = searchGuides(guides, 'enrolment code');
    expect(first?.guide.id).toBe('devices');
    expect(first?.title).toBe('Enrolment codes');
    expect(searchGuides(guides, 'no-such-word-anywhere')).toEqual([]);
  });
});
