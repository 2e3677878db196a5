import type { Random } from './random.ts';
import { failed, fieldsOf, ok, type Result } from './protocol.ts';

interface Profile {
  iccid: string;
  profileState: 'enabled' | 'disabled';
  profileNickname: string | null;
  serviceProviderName: string;
  profileName: string;
  profileClass: 'operational';
}

const MOST_PROFILES = 8;

function makeProfile(random: Random, provider: string, profileState: Profile['profileState']): Profile {
  const [profileNickname, profileClass] = [null, 'operational'] as const;
  return {
    iccid: `8947${random.digits(15)}`,
    profileState,
    profileNickname,
    serviceProviderName: provider,
    profileName: provider,
    profileClass,
  };
}

/** The chip of a simulated device that holds eSIM profiles: two at first, one of them in use. */
export class EsimChip {
  private readonly random: Random;
  private readonly eid: string;
  private profiles: Profile[];

  constructor(random: Random, operator: string) {
    this.random = random;
    this.eid = `89049032${random.digits(24)}`;
    this.profiles = [makeProfile(random, operator, 'enabled'), makeProfile(random, 'Harbour Mobile', 'disabled')];
  }

  /** Does what the verb `esim` asks for. */
  answer(body: string): Result {
    const fields = fieldsOf(body);
    const problem = this.change(fields.get('do') ?? '', fields);
    if (problem !== undefined) return failed(problem);
    return { ...ok('Done'), output: `${JSON.stringify({ eid: this.eid, profiles: this.profiles })}\n` };
  }

  private change(what: string, fields: ReadonlyMap<string, string>): string | undefined {
    if (what === 'list') return undefined;
    if (what === 'download') return this.download(fields.get('code') ?? '');
    const profile = this.profiles.find(({ iccid }) => iccid === fields.get('iccid'));
    if (!profile) return 'lpac: es10c_enable_profile, iccid or aid not found';
    if (what === 'rename') profile.profileNickname = fields.get('name') ?? null;
    else if (what === 'enable') for (const one of this.profiles) one.profileState = one === profile ? 'enabled' : 'disabled';
    else if (what === 'disable') profile.profileState = 'disabled';
    else if (what !== 'delete') return `Unknown: ${what}`;
    else if (profile.profileState === 'enabled') return 'lpac: es10c_delete_profile, profile not in disabled state';
    else this.profiles = this.profiles.filter((one) => one !== profile);
    return undefined;
  }

  private download(code: string): string | undefined {
    if (!code.startsWith('LPA:1$')) return 'This is no activation code';
    if (this.profiles.length >= MOST_PROFILES)
      return 'lpac: es10b_load_bound_profile_package, install failed due to insufficient memory for profile';
    this.profiles.push(makeProfile(this.random, code.split('$')[1] ?? '', 'disabled'));
    return undefined;
  }
}
