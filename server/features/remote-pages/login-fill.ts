import { randomBytes } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { MINUTE, type Clock } from '../../kernel/clock.ts';
import { loginScript } from './login-script.ts';

export interface StoredLogin {
  username?: string;
  password: string;
}

interface Pair {
  username: string;
  password: string;
  expiresAt: number;
}

const PAIR_LIVES_MS = 10 * MINUTE;
const MOST_PAIRS = 8;
const DEEPEST = 8;
const SHORTEST_HIDDEN = 4;
const FORM = 'application/x-www-form-urlencoded';
/** `password`, `luci_password`, `pwd`, `Kennwort`; a placeholder of the password is replaced under no other name. */
const PASSWORD_NAME = /pass|pwd|psw|pw$|kenn|^p$/i;

/** Letters and digits only, so that it looks the same in every encoding. */
const placeholder = (start: string): string =>
  start +
  BigInt(`0x${randomBytes(12).toString('hex')}`)
    .toString(36)
    .padStart(19, '0');

const formText = (text: string): string => new URLSearchParams({ v: text }).toString().slice(2);

/**
 * Signs in to the page of a device without its browser holding the password: a script fills the form with placeholders, each good for one request, and what is
 * stored takes their place on the way to the device.
 */
export class LoginFill {
  readonly #clock: Clock;
  readonly #login: StoredLogin;
  readonly #sends: boolean;
  readonly #id = placeholder('s');
  #pairs: Pair[] = [];
  #isUsed = false;

  constructor({ clock, login, sends }: { clock: Clock; login: StoredLogin; sends: boolean }) {
    this.#clock = clock;
    this.#login = login;
    this.#sends = sends;
  }

  /** The script of one load of a page. A form is sent by itself once in a session: a wrong password must not lock an account. */
  script(): string {
    const pair = { username: placeholder('u'), password: placeholder('P'), expiresAt: this.#clock.now() + PAIR_LIVES_MS };
    this.#pairs = [...this.#open().slice(1 - MOST_PAIRS), pair];
    const username = this.#login.username ? pair.username : '';
    return loginScript({ id: this.#id, username, password: pair.password, sends: this.#sends && !this.#isUsed });
  }

  #open(): Pair[] {
    return this.#pairs.filter(({ expiresAt }) => expiresAt > this.#clock.now());
  }

  /** A body with what is stored in place of its placeholders; undefined when it has none. A form (urlencoded) or JSON, in UTF-8. */
  replaceIn(body: Buffer, contentType: string): Buffer | undefined {
    const text = body.toString('utf8');
    const pair = this.#open().find(({ username, password }) => text.includes(username) || text.includes(password));
    if (!pair) return undefined;
    const replaced = contentType.startsWith(FORM) ? this.#inForm(text, pair) : this.#inJson(text, pair);
    if (replaced === undefined || replaced === text) return undefined;
    return Buffer.from(replaced, 'utf8');
  }

  #valueOf(name: string, value: string, pair: Pair): string {
    if (value === pair.username && !PASSWORD_NAME.test(name)) return this.#login.username ?? value;
    if (value !== pair.password || !PASSWORD_NAME.test(name) || !this.#pairs.includes(pair)) return value;
    this.#isUsed = true;
    this.#pairs = this.#pairs.filter((one) => one !== pair);
    return this.#login.password;
  }

  #inForm(text: string, pair: Pair): string {
    const fields = text.split('&').map((field) => {
      const at = field.indexOf('=');
      if (at < 0) return field;
      const [name = ''] = new URLSearchParams(field).keys();
      const value = field.slice(at + 1);
      const given = this.#valueOf(name, value, pair);
      return given === value ? field : `${field.slice(0, at)}=${formText(given)}`;
    });
    return fields.join('&');
  }

  #inJson(text: string, pair: Pair): string | undefined {
    const visit = (name: string, value: unknown, depth: number): unknown => {
      if (typeof value === 'string') return this.#valueOf(name, value, pair);
      if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
      if (Array.isArray(value)) return value.map((one) => visit(name, one, depth + 1));
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, visit(key, one, depth + 1)]));
    };
    try {
      return JSON.stringify(visit('', JSON.parse(text), 0));
    } catch {
      return undefined;
    }
  }

  #needles(): string[] {
    const { password } = this.#login;
    if (password.length < SHORTEST_HIDDEN) return [];
    const inHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const html = inHtml(password);
    const forms = [
      password,
      encodeURIComponent(password),
      formText(password),
      JSON.stringify(password).slice(1, -1),
      html,
      html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
      html.replaceAll('"', '&#34;').replaceAll("'", '&#x27;'),
    ];
    return [...new Set(forms)].map((form) => Buffer.from(form, 'utf8').toString('latin1')).toSorted((a, b) => b.length - a.length);
  }

  /** Whether a header of the answer repeats the password. */
  isIn(value: string): boolean {
    return this.#needles().some((needle) => value.includes(needle));
  }

  /** Takes the password out of the answer to the request that carried it: devices repeat what was typed. */
  hide(): Transform {
    const needles = this.#needles();
    const held = Math.max(0, (needles[0]?.length ?? 0) - 1);
    const without = (text: string): string => needles.reduce((rest, needle) => rest.replaceAll(needle, '********'), text);
    let tail = '';
    return new Transform({
      transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
        const text = without(tail + chunk.toString('latin1'));
        const cut = Math.max(0, text.length - held);
        tail = text.slice(cut);
        done(null, Buffer.from(text.slice(0, cut), 'latin1'));
      },
      flush(done: TransformCallback) {
        done(null, Buffer.from(tail, 'latin1'));
      },
    });
  }
}
