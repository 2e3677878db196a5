import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyMask, maskCaret, maskExample } from './mask.ts';
import { normalizeText } from './normalize-text.ts';

const MAC = 'FF:FF:FF:FF:FF:FF';

describe('a mask [F8]', () => {
  test.each([
    ['AA-BB-CC-DD-EE-FF', MAC, 'AA:BB:CC:DD:EE:FF'],
    ['aabb.ccdd.eeff', MAC, 'AA:BB:CC:DD:EE:FF'],
    ['aabbccddeeff', MAC, 'AA:BB:CC:DD:EE:FF'],
    ['91 23 45 67', '## ## ## ##', '91 23 45 67'],
    ['12-34', '##:##', '12:34'],
    ['ab12', 'SA*#', 'aB12'],
    ['AB', 'aa', 'ab'],
    ['x', '!A-S', 'A-x'],
    ['4791', '+47 ##', '+47 91'],
    ['ab!', 'SS!!', 'ab!'],
    ['12', '##!!', '12'],
  ])('shapes %j by %j into %j', (text, mask, shaped) => {
    expect(applyMask(mask, text)).toEqual({ text: shaped, rest: '', isComplete: true });
  });

  test.each([
    ['AA:GG', MAC, 'AA:GG', 'GG'],
    ['AABBCCDDEEFF00', MAC, 'AA:BB:CC:DD:EE:FF00', '00'],
    ['1x2', '###', '1x2', 'x2'],
    ['é', 'S', 'é', 'é'],
    ['A:BB', 'FF:FF', 'A:BB', ':BB'],
  ])('leaves what does not fit where it is: %j by %j', (text, mask, shown, rest) => {
    expect(applyMask(mask, text)).toEqual({ text: shown, rest, isComplete: false });
  });

  test('is complete only when every place is filled', () => {
    expect(applyMask(MAC, 'AA:BB').isComplete).toBe(false);
    expect(applyMask('', '').isComplete).toBe(true);
  });

  test('keeps the caret behind what was before it', () => {
    expect(maskCaret(MAC, 'AAB', 3)).toBe(4);
    expect(maskCaret(MAC, 'AABB:CC', 2)).toBe(2);
    expect(maskCaret(MAC, 'AA:xB', 4)).toBe(4);
  });

  test('shows how a text of it looks', () => {
    expect(maskExample('+!A## FF')).toBe('+A00 FF');
  });
});

const masks = fc.oneof(
  fc.constantFrom(MAC, '+47 ## ## ##', '##:##', '!A-SS/aa', '***-###', '####-FF.AA'),
  fc.string({ unit: fc.constantFrom('#', '*', 'S', 'F', 'A', 'a', '!', '-', ':', ' ', '4', 'é'), maxLength: 12 }),
);
const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABxyz:-. /_+é😀'), maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
);
const SEPARATORS = /[\s:./_-]/g;

describe('whatever the mask and the text, [F8]', () => {
  test('shaping twice is shaping once', () => {
    fc.assert(
      fc.property(masks, texts, (mask, text) => {
        const once = applyMask(mask, text);
        expect(applyMask(mask, once.text)).toEqual(once);
      }),
    );
  });

  test('typing key by key gives what pasting gives', () => {
    fc.assert(
      fc.property(masks, texts, (mask, text) => {
        const typed = [...text].reduce((shown, key) => applyMask(mask, shown + key).text, '');
        expect(typed).toBe(applyMask(mask, text).text);
      }),
    );
  });

  test('nothing vanishes: every character but separators between groups is in the result, in order', () => {
    fc.assert(
      fc.property(masks, texts, (mask, text) => {
        const shown = [...applyMask(mask, text).text.toLowerCase()];
        let from = 0;
        for (const character of text.replace(SEPARATORS, '').toLowerCase()) {
          const found = shown.indexOf(character, from);
          expect(found, `${character} of ${JSON.stringify(text)} is missing in ${JSON.stringify(shown.join(''))}`).toBeGreaterThanOrEqual(
            from,
          );
          from = found + 1;
        }
      }),
    );
  });

  test('the caret stays inside the text, and at its end when it was there', () => {
    fc.assert(
      fc.property(masks, texts, fc.nat(20), (mask, text, at) => {
        const { length } = applyMask(mask, text).text;
        expect(maskCaret(mask, text, Math.min(at, text.length))).toBeLessThanOrEqual(length);
        expect(maskCaret(mask, text, text.length)).toBe(length);
      }),
    );
  });
});

describe('other spellings [F8]', () => {
  test.each([
    ['mac', 'AA-BB-CC-DD-EE-FF', 'AA:BB:CC:DD:EE:FF'],
    ['mac', 'aabb.ccdd.eeff', 'AA:BB:CC:DD:EE:FF'],
    ['mac', 'aabbccddeeff', 'AA:BB:CC:DD:EE:FF'],
    ['mac', 'ａａbbccddeeff', 'AA:BB:CC:DD:EE:FF'],
    ['imei', '35-693803-564380-9', '356938035643809'],
    ['imei', '356938 035643809', '356938035643809'],
    ['phone', '+47 912 34 567', '+4791234567'],
    ['phone', '0047 91 23 45 67', '+4791234567'],
    ['phone', '(912) 34-567', '91234567'],
    ['ipv4', '192,168,1,1', '192.168.1.1'],
    ['ipv4', '192 . 168 . 1 . 1', '192.168.1.1'],
    ['cidr', '10.0.0.0 / 8', '10.0.0.0/8'],
  ])('of %s: %j → %j', (format, text, normal) => expect(normalizeText(format, text)).toBe(normal));

  test('what is not recognised, and what has no format, stays as it is', () => {
    fc.assert(
      fc.property(fc.constantFrom('mac', 'imei', 'phone', 'ipv4', 'cidr', 'name', undefined), texts, (format, text) => {
        const normal = normalizeText(format, text);
        expect(normalizeText(format, normal)).toBe(normal);
        if (format === 'name' || format === undefined) expect(normal).toBe(text);
      }),
    );
    expect(normalizeText('mac', 'not a mac')).toBe('not a mac');
  });
});
