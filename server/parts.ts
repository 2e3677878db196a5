import type { Parts } from './context.ts';

function notBuilt(name: string): never {
  throw new Error(`The part "${name}" is not built yet.`);
}

/** The parts that the product runs with. */
export const parts: Parts = {
  live: () => ({
    publish: () => notBuilt('live'),
    publishBelow: () => notBuilt('live'),
    closeSockets: () => notBuilt('live'),
    start: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  }),
  jobs: () => ({
    register: () => notBuilt('jobs'),
    preview: () => notBuilt('jobs'),
    create: () => notBuilt('jobs'),
    start: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  }),
  devices: async () => ({
    address: { host: '', port: 0, isTls: false },
    listen: () => notBuilt('devices'),
    send: () => notBuilt('devices'),
    admit: () => notBuilt('devices'),
    expel: () => notBuilt('devices'),
    [Symbol.asyncDispose]: async () => undefined,
  }),
};
