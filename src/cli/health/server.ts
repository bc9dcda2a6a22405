/** Asks the server for one conversation, which changes nothing there, and reports the result and its clock. */
import type { ClientSettings } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import type { SentRequest } from '../../api/http/sent-request.ts';
import { trustedOwner } from '../../config/server-owner.ts';
import { type Check, sectionOf } from '../output/check.ts';
import { messageOf } from '../process/exit.ts';
import { accountProblem } from '../sign-in/account-problem.ts';
import { proxyProblem, proxySettings } from '../sign-in/choose-proxy.ts';
import { recordRequests } from '../sign-in/record-requests.ts';
import type { AccountFacts, InspectionOptions } from './account.ts';

const { ok, note, wrong } = sectionOf('Server');

/** The limits of the request, which are shorter than those of a message. */
const limits = { connectMs: 5_000, wholeMs: 10_000, idleMs: 10_000 };

/** Clocks that differ by less are the same: the Date of an answer has whole seconds, and its travel time is estimated. */
const sameClockMs = 2_000;
const wrongClockMs = 5 * 60_000;

/** Never throws. */
export async function askServer(
  {
    server,
    token,
    directories = null,
  }: Pick<AccountFacts, 'server' | 'token'> & Partial<Pick<AccountFacts, 'directories'>>,
  { environment, insecureHttp, paths }: InspectionOptions,
  now: () => number = Date.now,
): Promise<readonly Check[]> {
  if (server === null || token === null) return [];
  const problem = proxyProblem(server, environment);
  if (problem !== null) return [wrong('reached', problem)];
  const heard: Check[] = [];
  const sent: SentRequest[] = [];
  const startedAt = now();
  const settings: ClientSettings = {
    baseUrl: server,
    token,
    insecureHttp,
    limits,
    reason: 'doctor',
    onRequest: (request) => void sent.push(request),
    ...(directories === null ? {} : { trustsOwner: trustedOwner(directories.data, { looksOnly: true }) }),
    ...proxySettings(server, environment),
    onResponse: ({ serverDate, deprecation, sunset }) => {
      heard.push(clockOf(serverDate, startedAt, now()));
      const words = [deprecation, sunset === undefined ? undefined : `until ${sunset}`].filter((word) => word);
      if (words.length > 0) heard.push(note('future', `it says that this version ends: ${words.join(', ')}`));
    },
  };
  const checked = await ask(settings, now);
  await recordRequests(paths, directories?.cache ?? null, sent);
  return [checked, ...heard];
}

async function ask(settings: ClientSettings, now: () => number): Promise<Check> {
  const startedAt = now();
  try {
    const { createClient } = await import('../../api/client.ts');
    const client = createClient(settings);
    try {
      await client.listConversations({ limit: 1 });
    } finally {
      await client.close();
    }
    return ok('reached', `it answers, and accepts the token (${Math.max(0, Math.round(now() - startedAt))} ms)`);
  } catch (error) {
    return error instanceof ApiError ? wrong('reached', accountProblem(error)) : wrong('reached', messageOf(error));
  }
}

/** Compares the clocks; half of the duration counts as the travel time of the answer. */
function clockOf(serverDate: number | null, startedAt: number, endedAt: number): Check {
  if (serverDate === null) return note('clock', 'the server does not say what time it has');
  const skew = serverDate - (startedAt + endedAt) / 2;
  if (Math.abs(skew) <= sameClockMs) return ok('clock', 'the same as here');
  const text = `${spell(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} this machine`;
  if (Math.abs(skew) < wrongClockMs) return ok('clock', text);
  return wrong('clock', text, 'set the clock of this machine, or inform the operator of the server');
}

function spell(ms: number): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ] as const;
  const [name, size] = units.find(([, length]) => ms >= 2 * length) ?? ['second', 1000];
  const count = Math.round(ms / size);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
