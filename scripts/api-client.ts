interface Answer<T> {
  success: boolean;
  data: T;
  meta?: { total?: number; channel?: string; job_id?: number };
  errors?: { code: string; message: string; source?: string }[];
}

/** A signed-in caller of the API for scripts: keeps cookies and sends the forgery-protection header. */
export class ApiClient {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  /** Calls `/api<path>` and gives `data`. Throws Error with the server's messages. */
  async call<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.#url}/api${path}`, {
      method,
      headers: {
        accept: 'application/json',
        origin: this.#url,
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-xsrf-token': this.#cookies.get('XSRF-TOKEN') ?? '',
        'x-requested-with': 'XMLHttpRequest',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    const answer = (await response.json()) as Answer<T>;
    if (!answer.success) {
      const told = answer.errors?.map((error) => [error.source, error.code, error.message].filter(Boolean).join(' ')).join('; ');
      throw new Error(`${method} ${path} answered ${response.status}: ${told ?? ''}`);
    }
    return answer.data;
  }

  #keep(cookie: string): void {
    const [pair = ''] = cookie.split(';');
    const at = pair.indexOf('=');
    this.#cookies.set(pair.slice(0, at), decodeURIComponent(pair.slice(at + 1)));
  }
}
