import { api, ApiError, failureMessage } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { confirm, openDialog, prompt } from '../dialogs/index.ts';
import { formatBytes } from '../table/format.ts';

/** What a session will use and whose consent it waits for, as `GET /remote/terms` answers it. */
export interface RemoteTerms {
  device_name: string;
  company_name: string;
  consent: 'not-needed' | 'needed' | 'asked' | 'given' | 'refused' | 'timed-out';
  /** null where nothing is taken. */
  cost: { pack_bytes: number | null; company_bytes: number } | null;
}

const PURPOSE_LIMIT = 200;
/** Places whose cost was accepted in this window: connecting again asks nothing. */
const accepted = new Set<string>();

/** The person did not want to connect after all, or may not. */
class NotAccepted extends Error {
  override name = 'NotAccepted';
}

const queryOf = (place: RemotePlace) =>
  'access' in place ? { entry: place.access } : 'link' in place ? { link: Number(place.link) } : { device: place.device };

/** Reads the terms of a session; throws ApiError. */
export async function readTerms(place: RemotePlace): Promise<RemoteTerms> {
  return (await api.get<RemoteTerms>('/remote/terms', { query: queryOf(place) })).data;
}

/** How a session ends that could not even be asked for. */
export function endOfFailure(error: unknown): { reason: 'cancelled' | 'refused-call'; detail?: string } {
  if (error instanceof NotAccepted && error.message === '') return { reason: 'cancelled' };
  return { reason: 'refused-call', detail: error instanceof ApiError ? failureMessage(error) : String((error as Error).message) };
}

function costText({ cost, device_name: device, company_name: company }: RemoteTerms & { cost: NonNullable<RemoteTerms['cost']> }): string {
  const left = formatBytes(cost.company_bytes);
  return cost.pack_bytes === null
    ? translate('remote.cost.company', { company, left })
    : translate('remote.cost.pack', { device, company, left, pack: formatBytes(cost.pack_bytes) });
}

/** Asks the company of the device, where it wants to be asked, and waits for the answer. */
async function waitForConsent(place: RemotePlace, terms: RemoteTerms): Promise<void> {
  const { device_name: device, company_name: company } = terms;
  let { consent } = terms;
  if (consent === 'needed' || consent === 'timed-out') {
    const purpose = await prompt({
      title: translate('remote.consent.title', { device }),
      promptContent: translate(consent === 'needed' ? 'remote.consent.text' : 'remote.consent.timed_out', { company }),
      input: { label: translate('remote.consent.purpose'), maxLength: PURPOSE_LIMIT },
      disabled: ({ text }) => (text ?? '').trim().length < 3,
      confirmText: translate('remote.consent.ask'),
    });
    if (purpose === undefined) throw new NotAccepted('');
    await api.post('/remote/consents', { ...queryOf(place), purpose });
    consent = 'asked';
  }
  if (consent === 'asked') consent = (await openDialog('remote.consent-wait', { place, device, company })) ?? 'needed';
  if (consent === 'needed') throw new NotAccepted('');
  if (consent === 'refused' || consent === 'timed-out') throw new NotAccepted(translate(`remote.consent.${consent}`, { company }));
}

/** Says what a session will use, and waits until that is accepted and allowed. Throws ApiError, and NotAccepted where it was not. */
export async function acceptTerms(place: RemotePlace): Promise<void> {
  const terms = await readTerms(place);
  if (terms.consent !== 'not-needed' && terms.consent !== 'given') await waitForConsent(place, terms);
  const key = JSON.stringify(place);
  const { cost } = terms;
  // The server refuses a session without data left, in its own words.
  if (!cost || accepted.has(key) || (cost.pack_bytes ?? 0) + cost.company_bytes <= 0) return;
  const isAccepted = await confirm({
    title: translate('remote.cost.title', { device: terms.device_name }),
    promptContent: costText({ ...terms, cost }),
    confirmText: translate('remote.connect'),
    reminderKey: 'remote-cost',
  });
  if (!isAccepted) throw new NotAccepted('');
  accepted.add(key);
}

/** What a connect page leads to: an entry of remote access, or the one of a link that somebody was given. */
export type RemotePlace = { access: number } | { link: string } | { device: number };
