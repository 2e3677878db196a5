import { findProgram } from '../../kernel/find-program.ts';

/** What a desktop over RDP is made of on the server. */
export interface RdpPrograms {
  /** FreeRDP's client for X: `xfreerdp` of version 2, or `xfreerdp3`. */
  client: string;
  /** TigerVNC's X server. */
  screen: string;
  /** Sets the layout of the keyboard; without it, it is an American one. */
  keyboard: string | undefined;
}

/** The programs for RDP on this server, looked for again each time; undefined when it lacks one of them. */
export function findRdpPrograms(): RdpPrograms | undefined {
  const client = findProgram(['xfreerdp', 'xfreerdp3']);
  const screen = findProgram(['Xtigervnc']);
  return client && screen ? { client, screen, keyboard: findProgram(['setxkbmap']) } : undefined;
}
