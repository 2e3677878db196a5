import type { EsimProfile } from '../../../schemas/_generated/contract.ts';

const MOST_PROFILES = 64;
const MOST_CHARACTERS = 64;

const isMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function textIn(record: Record<string, unknown>, name: string): string {
  const value = record[name];
  if (typeof value !== 'string') return '';
  return value.replace(/\p{Cc}/gu, '').slice(0, MOST_CHARACTERS);
}

function profileOf(given: unknown): EsimProfile[] {
  if (!isMembers(given)) return [];
  const iccid = textIn(given, 'iccid');
  if (!/^[0-9A-Fa-f]{10,22}$/.test(iccid)) return [];
  return [
    {
      iccid,
      provider: textIn(given, 'serviceProviderName'),
      name: textIn(given, 'profileName'),
      nickname: textIn(given, 'profileNickname') || null,
      state: given['profileState'] === 'enabled' ? 'enabled' : 'disabled',
      class: textIn(given, 'profileClass') || null,
    },
  ];
}

/** What a device says of its eSIM chip, with what is no profile left out; undefined when it is no such answer. */
export function readProfiles(output: string): { eid: string | null; profiles: EsimProfile[] } | undefined {
  try {
    const answer: unknown = JSON.parse(output);
    if (!isMembers(answer) || !Array.isArray(answer['profiles'])) return undefined;
    const eid = textIn(answer, 'eid');
    return { eid: /^[0-9A-Fa-f]{32}$/.test(eid) ? eid : null, profiles: answer['profiles'].slice(0, MOST_PROFILES).flatMap(profileOf) };
  } catch {
    return undefined;
  }
}
