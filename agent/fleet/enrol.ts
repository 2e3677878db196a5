import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from './mqtt-connection.ts';

export interface Credentials {
  key: string;
  password: string;
  address: Address;
  reportSeconds: number;
}

const MAX_TRIES = 8;
const ANSWER_SECONDS = 60;

/** Enrols one device over HTTP; waits as long as a 429 says and retries what may pass; throws in words on anything else. */
export async function enrol(url: string, body: Record<string, unknown>, pause: { until: number }): Promise<Credentials> {
  for (let tries = 1; ; tries += 1) {
    await sleep(Math.max(0, pause.until - Date.now()));
    const answer = await post(new URL('/api/enrol', url), JSON.stringify(body)).catch(
      (error: unknown) => new Error(`No answer from ${url}`, { cause: error }),
    );
    if (answer instanceof Error) {
      if (tries >= MAX_TRIES) throw answer;
      await sleep(250 * 2 ** tries);
    } else if (answer.status === 429) {
      // One worker hears it, all wait.
      pause.until = Date.now() + Math.max(1, Number(answer.retryAfter) || 1) * 1000;
    } else if (answer.status === 201) return readCredentials(JSON.parse(answer.text));
    else if (answer.status === 403) throw new Error('The server refused the enrolment code: it is wrong, expired or used up.');
    else if (answer.status < 500 || tries >= MAX_TRIES)
      throw new Error(`The server answered ${answer.status}: ${answer.text.slice(0, 300)}`);
    else await sleep(250 * 2 ** tries);
  }
}

interface Answer {
  status: number;
  retryAfter: string | undefined;
  text: string;
}

// Not fetch: its garbage from ten thousand enrolments stays in the size of the process.
const plainAgent = new http.Agent({ keepAlive: true });
const tlsAgent = new https.Agent({ keepAlive: true });

async function post(url: URL, body: string): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json', 'content-length': Buffer.byteLength(body) };
    const [send, agent] = url.protocol === 'https:' ? [https.request, tlsAgent] : [http.request, plainAgent];
    const request = send(url, { method: 'POST', headers, agent, timeout: ANSWER_SECONDS * 1000 }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text }));
      response.on('error', reject);
    });
    request.on('timeout', () => request.destroy(new Error('timeout')));
    request.on('error', reject);
    request.end(body);
  });
}

function readCredentials(answer: unknown): Credentials {
  const data: Record<string, unknown> = Object(Object(answer).data);
  const { device_key: key, password, mqtt_host: host, mqtt_port: port, mqtt_tls: tls, report_seconds: reportSeconds } = data;
  if (typeof key !== 'string' || typeof password !== 'string' || typeof host !== 'string' || !Number(port))
    throw new Error('The answer to the enrolment lacks credentials; is this a Canopy server?');
  return { key, password, address: { host, port: Number(port), tls: Boolean(Number(tls)) }, reportSeconds: Number(reportSeconds) || 60 };
}
