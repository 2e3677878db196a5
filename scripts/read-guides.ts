import { posix } from 'node:path';
import { parser, RuleType } from 'markdown-to-jsx';
import { partsText, type Guide, type GuideBlock, type GuideGroup, type GuideInline } from '../src/features/help/guide.ts';

export interface GuideFile {
  id: string;
  group: GuideGroup;
  /** From the root of the repository. */
  file: string;
}

type Node = ReturnType<typeof parser>[number];

/** Where a link of a guide leads: to another guide, within the page, to a site, or nowhere when the console does not have it. */
function targetOf(target: string | null, file: string, files: readonly GuideFile[]): string | undefined {
  if (target === null) return undefined;
  if (target.startsWith('#') || /^https?:\/\//.test(target)) return target;
  const [path = '', hash] = target.split('#');
  const guide = files.find((one) => one.file === posix.join(posix.dirname(file), path));
  return guide && `/help/${guide.id}${hash === undefined ? '' : `#${hash}`}`;
}

/**
 * The guides as data, made from Markdown when the console is built. What is not known here (HTML, pictures) becomes its text, so that nothing of a
 * file is ever markup of the console.
 */
export function readGuides(files: readonly GuideFile[], read: (file: string) => string): Guide[] {
  return files.map(({ id, group, file }) => {
    const nodes = parser(read(file));
    const blocks = nodes.flatMap((node) => blockOf(node, (target) => targetOf(target, file, files)));
    const title = blocks.find((block) => block.type === 'heading' && block.level === 1);
    if (title?.type !== 'heading') throw new Error(`${file} has no title.`);
    return { id, group, title: partsText(title.parts), blocks: blocks.filter((block) => block !== title) };
  });
}

type Resolve = (target: string | null) => string | undefined;

function blockOf(node: Node, resolve: Resolve): GuideBlock[] {
  const inline = (nodes: readonly Node[]): GuideInline[] => nodes.flatMap((child) => inlineOf(child, resolve));
  switch (node.type) {
    case RuleType.heading:
      return [{ type: 'heading', level: node.level, id: node.id, parts: inline(node.children) }];
    case RuleType.paragraph:
      return [{ type: 'text', parts: inline(node.children) }];
    case RuleType.codeBlock:
      return [{ type: 'code', text: node.text }];
    case RuleType.orderedList:
    case RuleType.unorderedList:
      return [{ type: 'list', isOrdered: node.type === RuleType.orderedList, items: node.items.map((item) => itemOf(item, resolve)) }];
    case RuleType.table:
      return [{ type: 'table', head: node.header.map(inline), rows: node.cells.map((row) => row.map(inline)) }];
    case RuleType.blockQuote:
      return node.children.flatMap((child) => blockOf(child, resolve));
    default: {
      const parts = inlineOf(node, resolve);
      return partsText(parts).trim() === '' ? [] : [{ type: 'text', parts }];
    }
  }
}

const BLOCKS = new Set<number>([RuleType.paragraph, RuleType.codeBlock, RuleType.orderedList, RuleType.unorderedList, RuleType.table]);

/** An item is text that may be followed by blocks; the words before the first block are one text. */
function itemOf(nodes: readonly Node[], resolve: Resolve): GuideBlock[] {
  const first = nodes.findIndex(({ type }) => BLOCKS.has(type));
  const words = first < 0 ? nodes : nodes.slice(0, first);
  const parts = words.flatMap((node) => inlineOf(node, resolve));
  return [
    ...(parts.length > 0 ? [{ type: 'text', parts } as const] : []),
    ...(first < 0 ? [] : nodes.slice(first).flatMap((node) => blockOf(node, resolve))),
  ];
}

function inlineOf(node: Node, resolve: Resolve): GuideInline[] {
  switch (node.type) {
    case RuleType.text:
      return [node.text];
    case RuleType.codeInline:
      return [{ code: node.text }];
    case RuleType.textFormatted:
      return [{ strong: node.tag === 'strong', parts: node.children.flatMap((child) => inlineOf(child, resolve)) }];
    case RuleType.link: {
      const parts = node.children.flatMap((child) => inlineOf(child, resolve));
      const to = resolve(node.target);
      return to === undefined ? parts : [{ to, parts }];
    }
    case RuleType.breakLine:
      return [' '];
    default:
      return 'text' in node && typeof node.text === 'string' ? [node.text] : [];
  }
}
