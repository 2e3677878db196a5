import { expect, test } from 'vitest';
import { readReleases } from './read-releases.ts';

test('versions, their groups and items are read, further lines joined, the rest left out', () => {
  const text =
    '# Changelog\n\nNewest first.\n- not in a version\n\n## 0.2.0\n\n- One thing\n  goes on here.\n- `two` <b>things</b>\n\nA word.\n\n## 0.1.0\n\n### Added\n\n* Old\n\n### Fixed\n\n- Bug\n';
  expect(readReleases(text)).toEqual([
    { version: '0.2.0', groups: [{ name: '', items: ['One thing goes on here.', '`two` <b>things</b>'] }] },
    {
      version: '0.1.0',
      groups: [
        { name: 'Added', items: ['Old'] },
        { name: 'Fixed', items: ['Bug'] },
      ],
    },
  ]);
});
