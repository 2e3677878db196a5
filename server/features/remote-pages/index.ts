import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Context } from '../../context.ts';
import { isSameText } from '../../kernel/auth/tokens.ts';
import { SECOND } from '../../kernel/clock.ts';
import { PagesOff } from '../../domain/remote/errors.ts';
import { pageDomain } from '../../domain/remote/page-domain.ts';
import type { RemoteSession } from '../../domain/remote/types.ts';
import type { App } from '../../kernel/route.ts';
import { answerPage, type PageFault } from './answer-page.ts';
import { LOGIN_SCRIPT } from './add-script.ts';
import { answerScript, forward, makeAgent, type Page } from './forward.ts';
import { forwardUpgrade } from './forward-upgrade.ts';
import { CookieJar } from './cookie-jar.ts';
import { pageCookie, readCookies, type Places } from './headers.ts';
import { LoginFill } from './login-fill.ts';

const ENTER = '/__canopy/enter';
const LABEL_CHARACTERS = 24;
const HEADERS_WITHIN_MS = 20 * SECOND;
/** More than all cookies that browsers keep for one domain: pages of devices cannot lock each other out with many. */
const MAX_HEADER_BYTES = 1024 * 1024;

/** The part of a host name that belongs to one session: 96 bits that nobody can guess from outside. */
const labelOf = (ticket: string): string => createHash('sha256').update(`page ${ticket}`).digest('hex').slice(0, LABEL_CHARACTERS);

interface Where {
  scheme: string;
  isSecure: boolean;
  /** `host` or `host:port`, below which every session has a name. */
  domain: string;
}

/** Serves web pages of devices on a port, and hosts, of their own. */
export class PageServer implements AsyncDisposable {
  private readonly ctx: Context;
  private readonly pages = new Map<string, Page>();
  /** WebSockets, which the HTTP server does not count among its connections. */
  private readonly upgraded = new Set<Duplex>();
  private opening: Promise<Server> | undefined;

  constructor(ctx: Context) {
    this.ctx = ctx;
  }

  /** Throws REMOTE_PAGES_OFF. */
  private async where(): Promise<Where> {
    const publicUrl = this.ctx.publicUrl();
    const domain = pageDomain(this.ctx.config.remote, publicUrl, await this.port());
    if (domain === undefined) throw new PagesOff({});
    const isSecure = publicUrl.startsWith('https:');
    return { scheme: isSecure ? 'https' : 'http', isSecure, domain };
  }

  private async listen(): Promise<Server> {
    const server = createServer(
      { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: HEADERS_WITHIN_MS, requestTimeout: 0 },
      (request, response) => {
        this.answer(request, response).catch((error: unknown) => {
          this.ctx.log.error({ err: error }, 'a page of a device could not be shown');
          response.destroy();
        });
      },
    );
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      this.upgrade(request, socket, head).catch(() => socket.destroy());
    });
    const { config } = this.ctx;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(config.remote.pagesPort, config.host, () => resolve());
    });
    server.removeAllListeners('error').on('error', this.noteFault);
    return server;
  }

  private readonly noteFault = (error: Error): void => this.ctx.log.error({ err: error }, 'the port of pages of devices failed');

  private server(): Promise<Server> {
    this.opening ??= this.listen().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  private async port(): Promise<number> {
    return ((await this.server()).address() as AddressInfo).port;
  }

  /** The address that a browser opens with its ticket. Throws REMOTE_PAGES_OFF. */
  async urlOf(ticket: string): Promise<string> {
    const { scheme, domain } = await this.where();
    return `${scheme}://${labelOf(ticket)}.${domain}${ENTER}?t=${ticket}`;
  }

  private async enter(request: IncomingMessage, response: ServerResponse, ticket: string): Promise<void> {
    const { scheme, isSecure, domain } = await this.where();
    const label = labelOf(ticket);
    const host = `${label}.${domain}`;
    // A ticket is good at its own host only.
    if (request.headers.host !== host) return answerPage(response, 403, 'used');
    const session = await this.ctx.remote.enter(ticket, undefined);
    if (!session || (session.kind !== 'http' && session.kind !== 'https')) {
      session?.end('failed');
      return answerPage(response, 403, 'used');
    }
    const page = await this.open(session, { shown: `${scheme}://${host}`, isSecure });
    this.pages.set(label, page);
    session.onEnd(() => {
      page.agent.destroy();
      this.pages.delete(label);
    });
    response.writeHead(302, {
      location: '/',
      'set-cookie': `${pageCookie(isSecure)}=${page.secret}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    response.end();
    return undefined;
  }

  private async open(session: RemoteSession, { shown, isSecure }: Pick<Places, 'shown' | 'isSecure'>): Promise<Page> {
    const { host: address, port } = session.entry;
    const device = new URL(`${session.kind}://${address.includes(':') ? `[${address}]` : address}:${port}`).origin;
    return {
      session,
      places: { shown, device, isSecure },
      agent: makeAgent(session),
      secret: randomBytes(32).toString('base64url'),
      jar: new CookieJar({ takesScripts: this.ctx.config.remote.pagesDomain === undefined }),
      authorization: undefined,
      noteOddAnswer: (status) => {
        const of = { session: session.id, device: session.device.id, status };
        this.ctx.log.warn(of, 'a page of a device answered with a status that cannot be passed on');
      },
      fill: await this.fillFor(session),
    };
  }

  private async fillFor(session: RemoteSession): Promise<LoginFill | undefined> {
    const { loginForm } = session.entry;
    const stored = loginForm === 'off' ? undefined : await session.credentials();
    if (!stored?.password) return undefined;
    return new LoginFill({ clock: this.ctx.clock, login: { ...stored, password: stored.password }, sends: loginForm === 'send' });
  }

  /** The page that a request is for, if its browser is the one that came with the ticket. */
  private async find(request: IncomingMessage): Promise<Page | undefined> {
    const { domain } = await this.where();
    const host = request.headers.host ?? '';
    const page = host.endsWith(`.${domain}`) ? this.pages.get(host.slice(0, -domain.length - 1)) : undefined;
    return page && this.secretsOf(request).some((secret) => isSameText(page.secret, secret)) ? page : undefined;
  }

  /** What a browser proves itself with: other pages below the domain may have set cookies of the same name over http. */
  private secretsOf(request: IncomingMessage): string[] {
    const name = pageCookie(this.ctx.publicUrl().startsWith('https:'));
    return readCookies(request.headers.cookie).flatMap(([found, value]) => (found === name ? [value] : []));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '', 'http://page');
    if (url?.pathname === ENTER) {
      if (request.method !== 'GET') return answerPage(response, 403, 'used');
      return this.enter(request, response, url.searchParams.get('t') ?? '');
    }
    const page = await this.find(request);
    if (!page) {
      const fault: PageFault = this.secretsOf(request).length === 0 ? 'no-session' : 'ended';
      // Its storage goes with the session; browsers keep to this over https only.
      response.setHeader('clear-site-data', '"cache", "storage"');
      return answerPage(response, 403, fault);
    }
    // It would stay in the browser beyond the session.
    if (request.headers['service-worker'] !== undefined) return answerPage(response, 403, 'service-worker');
    page.session.touch();
    if (url?.pathname === LOGIN_SCRIPT) return answerScript(page, response);
    return forward(page, request, response);
  }

  private async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const page = await this.find(request);
    const isSocket = request.headers.upgrade?.toLowerCase() === 'websocket' && request.method === 'GET' && socket instanceof Socket;
    // Only pages of this very host: another site could otherwise use the cookie.
    if (!page || !isSocket || request.headers.origin !== page.places.shown) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    this.upgraded.add(socket);
    socket.on('close', () => this.upgraded.delete(socket));
    await forwardUpgrade(page, request, socket, head);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const server = await this.opening?.catch(() => undefined);
    if (!server) return;
    for (const page of this.pages.values()) page.agent.destroy();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
      for (const socket of this.upgraded) socket.destroy();
    });
  }
}

/** Registers the web pages of devices. */
export function registerRemotePages({ ctx, fastify }: App): void {
  const pages = new PageServer(ctx);
  const notHere = (session: RemoteSession): void => session.end('failed');
  const options = { hello: 'none', urlOf: (_id: number, ticket: string) => pages.urlOf(ticket) } as const;
  ctx.remote.registerKind('http', notHere, options);
  ctx.remote.registerKind('https', notHere, options);
  fastify.addHook('onClose', () => pages[Symbol.asyncDispose]());
}
