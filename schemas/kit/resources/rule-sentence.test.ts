import { describe, expect, test } from 'vitest';
import { notificationText } from './notification-kinds.ts';
import { conditionSentence, withConditions, type SeenCondition } from './rule-sentence.ts';

const weak: SeenCondition = { parameter: 'signal', operator: '<', expected: '-100', actual: -104 };
const offline: SeenCondition = { parameter: 'status', operator: '==', expected: 'offline', actual: 'offline' };

describe('conditions that held', () => {
  test.each([
    ['en', 'Signal is less than -100 (was -104) and Status is offline'],
    ['nb', 'Signal er mindre enn -100 (var -104) og Status er frakoblet'],
    ['ja', '信号が-100より小さい （値：-104） かつ ステータスがオフラインである'],
    ['uk', 'Сигнал менше ніж -100 (було -104) і Стан — офлайн'],
  ] as const)('are a sentence in %s', (language, sentence) => {
    expect(conditionSentence([weak, offline], language)).toBe(sentence);
  });

  test.each([
    ['en', 'Signal has not been reported for 5 minutes'],
    ['nb', 'Signal er ikke rapportert på 5 minutter'],
    ['ja', '信号が5分間報告されていない'],
    ['uk', 'Сигнал: немає даних 5 хв'],
  ] as const)('say in %s how long nothing came', (language, sentence) => {
    expect(conditionSentence([{ parameter: 'signal', operator: 'missing', expected: '5', actual: null }], language)).toBe(sentence);
  });

  test('have the name that a monitoring template gives, or their own where nothing names them', () => {
    const load = { ...weak, parameter: 'mt12_load', label: 'Vitals: load' };
    expect(conditionSentence([load], 'en')).toBe('Vitals: load is less than -100 (was -104)');
    expect(conditionSentence([{ ...weak, parameter: 'pin_din1', actual: null }], 'en')).toBe('pin_din1 is less than -100');
  });

  test('stand in a message and in its notification, also with $& in a value', () => {
    const text = JSON.stringify([{ ...offline, parameter: 'hostname', expected: '$&', actual: '$&' }]);
    expect(withConditions('Gate: %ex!', text, 'en')).toBe('Gate: Host name is $&!');
    const about = { count: 1, company_id: 1, company_name: 'North', subject_id: 1, subject_name: 'Gate' };
    const details = { message: '%ex', conditions: JSON.stringify([offline]) };
    expect(notificationText({ ...about, type: 'deviceAutomation', details }, 'nb')).toBe('Gate: Status er frakoblet');
  });
});
