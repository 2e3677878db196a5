interface Answer<T> {
  success: boolean;
  data: T;
  meta?: { total?: number; channel?: string; job_id?: number };
  errors?: { code: string; message: string; source?: string }[];
}

/** A signed-in caller of the API for scripts: keeps cookies and sends the forgery-protection header. */
export class ApiClient {
  readonly #url: string;
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();

  /** `origin`: the address by which browsers reach the server, where it is another one. */
  constructor(url: string, origin = url) {
    this.#url = url;
    this.#origin = origin;
  }

  /** Calls `/api<path>` and gives `data`. Throws Error with the server's messages. */
  async call<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<T> {
    if (body === undefined) return await this.#send(method, path);
    return await this.#send(method, path, JSON.stringify(body), { 'content-type': 'application/json' });
  }

  /** Posts a file beside texts, as a form does, and gives `data`. Throws Error with the server's messages. */
  async upload<T>(path: string, texts: Record<string, string>, file: { name: string; content: string }): Promise<T> {
    const parts = new FormData();
    for (const [name, text] of Object.entries(texts)) parts.append(name, text);
    parts.append('file', new Blob([file.content]), file.name);
    return await this.#send('POST', path, parts);
  }

  /** What this session is known by, as the header `cookie` carries it. */
  cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async #send<T>(method: string, path: string, body?: string | FormData, headers: Record<string, string> = {}): Promise<T> {
    const response = await fetch(`${this.#url}/api${path}`, {
      method,
      headers: {
        accept: 'application/json',
        origin: this.#origin,
        cookie: this.cookie(),
        'x-xsrf-token': this.#cookies.get('XSRF-TOKEN') ?? '',
        'x-requested-with': 'XMLHttpRequest',
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    const answer = (await response.json()) as Answer<T>;
    if (!answer.success) {
      const reasons = answer.errors?.map((error) => [error.source, error.code, error.message].filter(Boolean).join(' ')).join('; ');
      throw new Error(`${method} ${path} answered ${response.status}: ${reasons ?? ''}`);
    }
    return answer.data;
  }

  #keep(cookie: string): void {
    const [pair = ''] = cookie.split(';');
    const at = pair.indexOf('=');
    this.#cookies.set(pair.slice(0, at), decodeURIComponent(pair.slice(at + 1)));
  }
}
