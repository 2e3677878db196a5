import { expect, test } from 'vitest';
import { installCommands } from './install-command.ts';

test('the line fetches the agent from this server and joins with the code', () => {
  expect(installCommands('https://fleet.example.org', 'K7QM-2W9D-XR4T-HB63')).toEqual({
    curl: 'curl -fsS https://fleet.example.org/agent/canopy-agent | sh -s -- install --url https://fleet.example.org --code K7QM-2W9D-XR4T-HB63',
    wget: 'wget -qO- https://fleet.example.org/agent/canopy-agent | sh -s -- install --url https://fleet.example.org --code K7QM-2W9D-XR4T-HB63',
  });
});

test('an address with shell metacharacters is quoted', () => {
  expect(installCommands("https://h/$(id)'", 'C').curl).toBe(
    String.raw`curl -fsS 'https://h/$(id)'\''/agent/canopy-agent' | sh -s -- install --url 'https://h/$(id)'\''' --code C`,
  );
});
