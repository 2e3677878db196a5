import { describe, expect, it } from 'vitest';
import { describeFacets } from './facets.ts';

const t = (key: string, params?: Record<string, unknown>) => (params ? `${key}(${Object.values(params).join()})` : key);

describe('the statistics strip', () => {
  it('rounds the online share down, so that one missing device never reads as 100 %', () => {
    const [status] = describeFacets({ status: { '1': 9999, '0': 1 } }, t);
    expect(status?.summary).toBe('devices.facets.online(99.9)');
  });

  it('leaves out parts without devices and turns the rest into filter values', () => {
    const [status] = describeFacets({ status: { '1': 3, '0': 0, null: 2 } }, t);
    expect(status?.parts.map((part) => [part.values, part.count])).toEqual([
      [['online'], 3],
      [['not_activated'], 2],
    ]);
  });

  it('sums the rare firmwares into a part that is no filter', () => {
    const firmware = describeFacets({ firmware: { a: 5, b: 4, c: 3, d: 2, e: 1, null: 9 } }, t)[2];
    expect(firmware?.parts.map((part) => [part.key, part.count, part.values.length])).toEqual([
      ['a', 5, 1],
      ['b', 4, 1],
      ['c', 3, 1],
      ['others', 3, 0],
    ]);
  });

  it('takes the names that families give to one version together', () => {
    const firmware = describeFacets({ firmware: { 'RUTX_R_00.07.14.2': 5, 'RUT9M_R_00.07.14.2': 4 } }, t)[2];
    expect(firmware?.parts.map((part) => [part.label, part.count, part.values])).toEqual([
      ['07.14.2', 9, ['RUTX_R_00.07.14.2', 'RUT9M_R_00.07.14.2']],
    ]);
  });

  it('says nothing of an empty fleet', () => {
    expect(describeFacets({}, t).every((facet) => facet.parts.length === 0 && facet.summary === undefined)).toBe(true);
  });
});
