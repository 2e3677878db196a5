import { describe, expect, test } from 'vitest';
import { readSource, valueAtPath } from '../../../schemas/kit/devices/collected.ts';
import { answerTree, variableIdFor, type AnswerNode } from './answer-paths.ts';

const leavesOf = (node: AnswerNode): AnswerNode[] => (node.children.length === 0 ? [node] : node.children.flatMap(leavesOf));

describe('what a device answered, as a tree', () => {
  test.each([
    ['JSON', '{"data":[{"primary":true,"rsrp":-95.5},{"name with space":"x"}],"uptime":120,"ok":false}'],
    ['lines of text', 'MemTotal:  1024 kB\nMem Free: 12 kB\n0.10 0.20 0.30 1/99 1234\n'],
  ])('has a path at every leaf of %s that leads to its value', (_name, output) => {
    const leaves = leavesOf(answerTree(output));
    expect(leaves.length).toBeGreaterThan(3);
    for (const { path, text } of leaves) expect([path, String(valueAtPath(readSource(output), path))]).toEqual([path, text]);
  });

  test('knows the type of each value, and is cut where it is endless', () => {
    const leaves = leavesOf(answerTree('{"a":1,"b":1.5,"c":"7","d":"x","e":true}'));
    expect(leaves.map(({ type }) => type)).toEqual(['integer', 'number', 'number', 'string', 'boolean']);
    expect(answerTree(JSON.stringify(Array.from({ length: 5000 }, () => 1))).children).toHaveLength(100);
  });
});

test('a variable gets the name of its value, unlike those that are there', () => {
  expect(variableIdFor('$.data[0].rsrp', new Set())).toBe('rsrp');
  expect(variableIdFor('$.data[1].rsrp', new Set(['rsrp']))).toBe('rsrp_2');
  expect(variableIdFor('$.fields["Mem Free"]', new Set())).toBe('mem_free');
  expect(variableIdFor('$', new Set())).toBe('value');
});
