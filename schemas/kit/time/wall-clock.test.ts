import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aheadOfUtc, momentOfClock } from './wall-clock.ts';

const shown = (zone: string, text: string): string => new Date(momentOfClock(zone, Date.parse(`${text}Z`))).toISOString().slice(0, 19);

test.each([
  ['Europe/Oslo', '2026-03-29T01:59:59', '2026-03-29T00:59:59'],
  ['Europe/Oslo', '2026-03-29T02:00:00', '2026-03-29T01:00:00'],
  ['Europe/Oslo', '2026-03-29T02:59:59', '2026-03-29T01:00:00'],
  ['Europe/Oslo', '2026-03-29T03:00:00', '2026-03-29T01:00:00'],
  ['Europe/Oslo', '2026-10-25T02:00:00', '2026-10-25T00:00:00'],
  ['Europe/Oslo', '2026-10-25T02:59:59', '2026-10-25T00:59:59'],
  ['Europe/Oslo', '2026-10-25T03:00:00', '2026-10-25T02:00:00'],
  // Half an hour, and a change at midnight.
  ['Australia/Lord_Howe', '2026-10-04T02:15:00', '2026-10-03T15:30:00'],
  ['Africa/Cairo', '2026-04-24T00:30:00', '2026-04-23T22:00:00'],
  // A day that Samoa left out.
  ['Pacific/Apia', '2011-12-30T12:00:00', '2011-12-30T10:00:00'],
  ['UTC', '2026-03-29T02:30:00', '2026-03-29T02:30:00'],
])('in %s the clocks show %s at %s: a time in a gap is its end, one that is twice is the first [CB8]', (zone, text, utc) => {
  expect(shown(zone, text)).toBe(utc);
});

test('at the moment that is found clocks show the time, or the first one after a gap, and not at any moment before [CB8]', () => {
  const zones = fc.constantFrom(
    'Europe/Oslo',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Tokyo',
    'Africa/Casablanca',
    'America/Santiago',
  );
  const minutes = fc.integer({ min: Date.UTC(2020, 0) / 60_000, max: Date.UTC(2030, 0) / 60_000 });
  fc.assert(
    fc.property(zones, minutes, (zone, minute) => {
      const wanted = minute * 60_000;
      const at = momentOfClock(zone, wanted);
      expect(at + aheadOfUtc(zone, at)).toBeGreaterThanOrEqual(wanted);
      expect(at - 1000 + aheadOfUtc(zone, at - 1000)).toBeLessThan(wanted);
    }),
    { numRuns: 300 },
  );
});
