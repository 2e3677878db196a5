import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../kernel/clock.ts';
import { emptyState, evaluate } from './engine.ts';
import type { Branch, Condition, Rule, State, Values } from './types.ts';

const alert = { name: 'RaiseAlert' } as const;
const when = (expression: Condition[], more: Partial<Branch> = {}): Branch => ({ type: 'if', expression, actions: [alert], ...more });
const weak: Condition = { parameter: 'signal', operator: '<', value: '-100' };
const rule = (branches: Branch[], more: Partial<Rule> = {}): Rule => ({
  ...{ branches, delaySeconds: 0, delayCount: 1, cooldownSeconds: 0, recoverySeconds: 0, limit: null, period: 'day' },
  ...more,
});

/** Evaluates one set of values after another, a minute apart; answers what was acted on each time. */
function run(given: Rule, all: Values[], start: State = emptyState()): string[][] {
  let state = start;
  return all.map((values, index) => {
    const outcome = evaluate(given, state, values, index * MINUTE);
    ({ state } = outcome);
    return outcome.fired;
  });
}

describe('a rule', () => {
  test('is acted on once each time it begins to hold', () => {
    expect(run(rule([when([weak])]), [{ signal: -90 }, { signal: -101 }, { signal: -110 }, { signal: -80 }, { signal: -105 }])).toEqual([
      [],
      ['0'],
      [],
      [],
      ['0'],
    ]);
  });

  test('stays as it was while a value is not known', () => {
    expect(run(rule([when([weak])]), [{ signal: -101 }, {}, { signal: -101 }])).toEqual([['0'], [], []]);
    expect(run(rule([when([weak])]), [{}, { signal: -101 }])).toEqual([[], ['0']]);
  });

  test('binds && before ||', () => {
    const one = (parameter: string, joins_with?: '&&' | '||'): Condition => ({ parameter, operator: '==', value: '1', joins_with });
    const given = rule([when([one('a', '||'), one('b', '&&'), one('c')])]);
    expect(run(given, [{ a: 1, b: 0, c: 0 }])).toEqual([['0']]);
    expect(run(given, [{ a: 0, b: 1, c: 0 }])).toEqual([[]]);
    expect(run(given, [{ a: 0, b: 1, c: 1 }])).toEqual([['0']]);
  });

  test('acts on an else only after its if has held', () => {
    const given = rule([when([weak]), { type: 'else', actions: [alert] }]);
    expect(run(given, [{ signal: -90 }, { signal: -101 }, { signal: -90 }, { signal: -90 }])).toEqual([[], ['0'], ['1'], []]);
  });

  test('acts on what is inside another only while that holds', () => {
    const given = rule([when([{ parameter: 'status', operator: '==', value: 'online' }], { actions: [], conditions: [when([weak])] })]);
    expect(
      run(given, [
        { status: 'offline', signal: -110 },
        { status: 'online', signal: -110 },
      ]),
    ).toEqual([[], ['0.0']]);
  });

  test('waits until it has held for the delay, and says when to look again', () => {
    const given = rule([when([weak])], { delaySeconds: 150 });
    const first = evaluate(given, emptyState(), { signal: -101 }, 0);
    expect(first).toMatchObject({ fired: [], dueAt: 150 * SECOND });
    expect(evaluate(given, first.state, { signal: -101 }, 150 * SECOND, { isReport: false }).fired).toEqual(['0']);
    const gone = evaluate(given, first.state, { signal: -90 }, MINUTE);
    expect(evaluate(given, gone.state, { signal: -101 }, 2 * MINUTE)).toMatchObject({ fired: [], dueAt: 120_000 + 150_000 });
  });

  test('counts reports, not looks at the clock, for the number that it has to hold in', () => {
    const given = rule([when([weak])], { delayCount: 2 });
    const first = evaluate(given, emptyState(), { signal: -101 }, 0);
    const tick = evaluate(given, first.state, { signal: -101 }, 1, { isReport: false });
    expect(tick.fired).toEqual([]);
    expect(evaluate(given, tick.state, { signal: -101 }, 2).fired).toEqual(['0']);
  });

  test('rests after it was acted on, and acts when that is over if it holds still', () => {
    const given = rule([when([weak])], { cooldownSeconds: 180 });
    expect(run(given, [{ signal: -101 }, { signal: -90 }, { signal: -101 }, { signal: -101 }, { signal: -101 }])).toEqual([
      ['0'],
      [],
      [],
      ['0'],
      [],
    ]);
  });

  test('acts no more often in a period than it may, and never more than 30 times an hour', () => {
    const flips = Array.from({ length: 80 }, (_one, index) => ({ signal: index % 2 === 0 ? -101 : -90 }));
    expect(run(rule([when([weak])], { limit: 3 }), flips).flat()).toHaveLength(3);
    const hour = flips.slice(0, 60);
    expect(run(rule([when([weak])]), hour).flat()).toHaveLength(30);
    const seconds = (values: Values[]) => {
      let state = emptyState();
      return values.flatMap((one, index) => {
        const outcome = evaluate(rule([when([weak])]), state, one, index * SECOND);
        ({ state } = outcome);
        return outcome.fired;
      });
    };
    expect(seconds(flips)).toHaveLength(30);
  });

  test('says which branch ended', () => {
    const first = evaluate(rule([when([weak])]), emptyState(), { signal: -101 }, 0);
    expect(evaluate(rule([when([weak])]), first.state, { signal: -90 }, 1).ended).toEqual(['0']);
  });

  test('sees what has changed against the value before, and by how much against the one that counted last', () => {
    const changed = rule([when([{ parameter: 'operator', operator: 'changed' }])]);
    expect(run(changed, [{ operator: 'A' }, { operator: 'A' }, { operator: 'B' }, { operator: 'B' }, { operator: 'C' }])).toEqual([
      [],
      [],
      ['0'],
      [],
      ['0'],
    ]);
    const by = rule([when([{ parameter: 'signal', operator: 'changed_by', value: '10' }])]);
    expect(run(by, [{ signal: -80 }, { signal: -85 }, { signal: -90 }, { signal: -85 }])).toEqual([[], [], ['0'], []]);
  });
});

test.each([
  [{ parameter: 'time', operator: 'between', value: '22:00-06:00' }, { time: '23:10' }, true],
  [{ parameter: 'time', operator: 'between', value: '22:00-06:00' }, { time: '12:00' }, false],
  [{ parameter: 'signal', operator: 'between', value: '1-5' }, { signal: 3 }, true],
  [{ parameter: 'operator', operator: 'in', value: 'Telia, Telenor' }, { operator: 'telenor' }, true],
  [{ parameter: 'firmware', operator: 'contains', value: '07.14' }, { firmware: 'RUTX_R_00.07.14.2' }, true],
  [{ parameter: 'position', operator: 'inside', value: '59.91,10.75,1000' }, { position: '59.915,10.75' }, true],
  [{ parameter: 'position', operator: 'outside', value: '59.91,10.75,1000' }, { position: '60.5,10.75' }, true],
  [{ parameter: 'position', operator: 'inside', value: '0,179.999,1000' }, { position: '0,-179.999' }, true],
  [{ parameter: 'signal', operator: '>', value: 'x' }, { signal: 3 }, false],
] as [Condition, Values, boolean][])('%j with %j is %s', (condition, values, holds) => {
  expect(run(rule([when([condition])]), [values]).flat().length > 0).toBe(holds);
});
