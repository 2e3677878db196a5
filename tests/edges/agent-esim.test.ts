import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makePathWithout, SHELLS } from './agent-machine.ts';
import { AgentWorld } from './agent-world.ts';

// As lpac 2 writes them: one JSON object a line, those of the type "progress" on the way.
const LIST =
  '{"type":"lpa","payload":{"code":0,"message":"success","data":[{"iccid":"8947080037110000001","isdpAid":"A0000005591010FFFFFFFF8900001000","profileState":"enabled","profileNickname":null,"serviceProviderName":"Telia","profileName":"Telia","iconType":"png","icon":"iVBORw0KGgo=","profileClass":"operational"}]}}';
const INFO =
  '{"type":"lpa","payload":{"code":0,"message":"success","data":{"eidValue":"89049032000000000000000000000001","EuiccConfiguredAddresses":{"defaultDpAddress":null},"EUICCInfo2":null}}}';
const PROGRESS = '{"type":"progress","payload":{"code":0,"message":"es10b_get_euicc_challenge_and_info","data":null}}';
const DONE = '{"type":"lpa","payload":{"code":0,"message":"success","data":null}}';
const REFUSED = '{"type":"lpa","payload":{"code":-1,"message":"es10c_enable_profile","data":"iccid or aid not found"}}';

/** A path with a program `lpac` that writes down how it was called. */
async function makeLpac(world: AgentWorld) {
  const calls = join(world.folder, 'calls');
  const folder = join(world.folder, 'lpac');
  await mkdir(folder);
  const script = `#!/bin/sh
for word in "$@"; do printf '[%s]' "$word"; done >>'${calls}'; echo >>'${calls}'
case "$1 $2 $3" in
  'chip info '*) echo '${INFO}' ;;
  'profile list '*) echo '${LIST}' ;;
  'profile enable 89000000000000000') echo '${REFUSED}'; exit 1 ;;
  'profile download '*) echo '${PROGRESS}'; echo '${DONE}' ;;
  *) echo '${DONE}' ;;
esac
`;
  await writeFile(join(folder, 'lpac'), script, { mode: 0o755 });
  return { env: { PATH: `${folder}:${process.env['PATH']}` }, read: async () => (await readFile(calls, 'utf8')).trim().split('\n') };
}

describe.each(SHELLS)('eSIM profiles under %s', (shell) => {
  test('are listed without pictures, and changed by lpac, whatever is in a code or a name', async () => {
    await using world = await AgentWorld.start();
    const lpac = await makeLpac(world);
    await world.startAgent(shell, lpac.env);
    const listed = await world.command('c1', 'esim', 'do=list\n');
    expect(listed).toMatchObject({ state: 'ok', message: 'Done' });
    expect(JSON.parse(String(listed['output']))).toEqual({
      eid: '89049032000000000000000000000001',
      profiles: [expect.objectContaining({ iccid: '8947080037110000001', profileState: 'enabled', icon: null })],
    });
    const code = 'LPA:1$rsp.example.com$QR $(reboot)';
    expect(await world.command('c2', 'esim', `do=download\ncode=${code}\nconfirmation=47 11\n`)).toMatchObject({ state: 'ok' });
    expect(await world.command('c3', 'esim', 'do=rename\niccid=8947080037110000001\nname=On the quay\n')).toMatchObject({ state: 'ok' });
    const calls = await lpac.read();
    expect(calls).toContain(`[profile][download][-a][${code}][-c][47 11]`);
    expect(calls).toContain('[profile][nickname][8947080037110000001][On the quay]');
    expect(calls.filter((call) => call === '[notification][process][-a][-r]')).toHaveLength(2);
  });

  test('a refusal says why, and a device without lpac says so', async () => {
    await using world = await AgentWorld.start();
    const lpac = await makeLpac(world);
    await world.startAgent(shell, lpac.env);
    expect(await world.command('c1', 'esim', 'do=enable\niccid=89000000000000000\n')).toMatchObject({
      state: 'failed',
      message: 'lpac: es10c_enable_profile, iccid or aid not found',
    });
    for (const [id, body, message] of [
      ['c2', 'do=enable\niccid=--help\n', 'This is no ICCID'],
      ['c3', 'do=download\ncode=-h\n', 'This is no activation code'],
      ['c4', 'do=purge\n', 'Unknown: purge'],
    ] as const)
      expect(await world.command(id, 'esim', body)).toMatchObject({ state: 'failed', message });
    await using bare = await AgentWorld.start();
    await bare.startAgent(shell, { PATH: await makePathWithout(join(bare.folder, 'bare'), ['lpac']) });
    expect(await bare.command('c1', 'esim', 'do=list\n')).toMatchObject({ message: expect.stringContaining('needs lpac') });
  });
});
