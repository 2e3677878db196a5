const IAC = 255;
const DONT = 254;
const DO = 253;
const WONT = 252;
const WILL = 251;
const SB = 250;
const SE = 240;

const BINARY = 0;
const ECHO = 1;
const SGA = 3;
const TTYPE = 24;
const NAWS = 31;

const TERMINAL = 'xterm-256color';
/** Options of the server that are wanted, and those of our own that are offered. */
const WANTED = new Set([BINARY, ECHO, SGA]);
const OFFERED = new Set([BINARY, SGA, TTYPE, NAWS]);
const SUBNEGOTIATION_LIMIT = 1024;

/** The bytes of the Telnet protocol (RFC 854) on both ways, without the line itself. */
export interface TelnetCodec {
  /** Takes what came from the server; returns what the terminal shows. */
  receive(bytes: Buffer): Buffer;
  /** What was typed, as it is sent. */
  encode(bytes: Buffer): Buffer;
  resize(cols: number, rows: number): void;
}

/** A codec that answers the server's options over `send`. Each option is answered only when its state changes, or two sides could answer each other for ever. */
export function createTelnetCodec(send: (bytes: Buffer) => void, size: { cols: number; rows: number }): TelnetCodec {
  const remote = new Set<number>();
  const local = new Set<number>();
  const refused = new Set<string>();
  let state: 'data' | 'command' | 'option' | 'sub' | 'sub-command' = 'data';
  let verb = 0;
  let sub: number[] = [];
  let isAfterReturn = false;
  let { cols, rows } = size;

  const sendWindow = (): void => {
    const numbers = [cols >> 8, cols & 255, rows >> 8, rows & 255];
    send(Buffer.from([IAC, SB, NAWS, ...numbers.flatMap((byte) => (byte === IAC ? [IAC, IAC] : [byte])), IAC, SE]));
  };

  function refuse(answer: number, option: number): void {
    // Once is enough: a server that asks again knows the answer.
    if (refused.has(`${answer} ${option}`)) return;
    refused.add(`${answer} ${option}`);
    send(Buffer.from([IAC, answer, option]));
  }

  function setOption(option: number): void {
    if (verb === WILL && !WANTED.has(option)) refuse(DONT, option);
    if (verb === WILL && WANTED.has(option) && !remote.has(option)) {
      remote.add(option);
      send(Buffer.from([IAC, DO, option]));
    }
    if (verb === WONT && remote.delete(option)) send(Buffer.from([IAC, DONT, option]));
    if (verb === DO && !OFFERED.has(option)) refuse(WONT, option);
    if (verb === DO && OFFERED.has(option) && !local.has(option)) {
      local.add(option);
      send(Buffer.from([IAC, WILL, option]));
      if (option === NAWS) sendWindow();
    }
    if (verb === DONT && local.delete(option)) send(Buffer.from([IAC, WONT, option]));
  }

  function endSub(): void {
    if (sub[0] === TTYPE && sub[1] === 1)
      send(Buffer.concat([Buffer.from([IAC, SB, TTYPE, 0]), Buffer.from(TERMINAL, 'latin1'), Buffer.from([IAC, SE])]));
    sub = [];
  }

  function takeData(byte: number, out: number[]): void {
    // CR NUL is a bare carriage return, except where the server sends binary.
    if (!(isAfterReturn && byte === 0 && !remote.has(BINARY))) out.push(byte);
    isAfterReturn = byte === 13;
  }

  function takeCommand(byte: number, out: number[]): void {
    state = 'data';
    if (byte === IAC) return takeData(byte, out);
    verb = byte;
    if (byte === SB) {
      sub = [];
      state = 'sub';
    } else if (byte >= WILL) state = 'option';
  }

  function takeSub(byte: number): void {
    if (state === 'sub' && byte === IAC) state = 'sub-command';
    else if (state === 'sub-command' && byte === SE) {
      endSub();
      state = 'data';
    } else {
      if (sub.length < SUBNEGOTIATION_LIMIT) sub.push(byte);
      state = 'sub';
    }
  }

  return {
    receive(bytes) {
      if (state === 'data' && !bytes.includes(IAC) && !bytes.includes(0)) {
        isAfterReturn = bytes.at(-1) === 13;
        return bytes;
      }
      const out: number[] = [];
      for (const byte of bytes) {
        if (state === 'data' && byte === IAC) state = 'command';
        else if (state === 'data') takeData(byte, out);
        else if (state === 'command') takeCommand(byte, out);
        else if (state === 'option') {
          setOption(byte);
          state = 'data';
        } else takeSub(byte);
      }
      return Buffer.from(out);
    },
    encode(bytes) {
      const out: number[] = [];
      for (const byte of bytes) {
        out.push(byte);
        if (byte === IAC) out.push(IAC);
        if (byte === 13 && !local.has(BINARY)) out.push(0);
      }
      return Buffer.from(out);
    },
    resize(nextCols, nextRows) {
      cols = nextCols;
      rows = nextRows;
      if (local.has(NAWS)) sendWindow();
    },
  };
}
