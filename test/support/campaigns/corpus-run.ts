/** The real client and engine while a server answers with pieces of the corpus: what is shown, what is written, what is left. */
import { createClient } from '../../../src/api/client.ts';
import type { Client } from '../../../src/api/operations.ts';
import type { AppState, OpAction } from '../../../src/state/model/app-state.ts';
import { createAppStore, initialState } from '../../../src/state/store.ts';
import { createEngine } from '../../../src/sync/engine/engine.ts';
import { fakeClock } from '../clocks/fake-clock.ts';
import { watchedClient } from '../clocks/watched-client.ts';
import { corpusAnswer, type Place, places, type Resource, scalarsIn } from '../corpora/corpus-answers.ts';
import { type JsonCase, jsonCorpus, ownCases } from '../corpora/json-corpus.ts';
import { httpServer, type Seen } from '../servers/wire-server.ts';
import { memoryCache, memoryOutbox } from '../worlds/memory-disks.ts';
import { faultSites } from './fault-sites.ts';

/** Which answers are odd: those that are read, those to what is written, all. */
type Liar = 'reads' | 'writes' | 'all';
const liars: readonly Liar[] = ['reads', 'writes', 'all'];

export interface CorpusRun {
  readonly one: JsonCase;
  readonly place: Place;
  readonly liar: Liar;
}

/** Every case in every place and every kind of answer. */
export const corpusRuns: readonly CorpusRun[] = [...jsonCorpus, ...ownCases].flatMap((one) =>
  places.flatMap((place) => liars.map((liar) => ({ one, place, liar }))),
);

/** Everything that went wrong in these runs; prints what they were. */
export async function runCorpus(suite: string, runs: readonly CorpusRun[]): Promise<readonly string[]> {
  const sites = faultSites([...liars, ...places]);
  const stage = await corpusStage();
  const wrong: string[] = [];
  try {
    for (const { one, place, liar } of runs) {
      sites.hit(liar);
      sites.hit(place);
      wrong.push(...(await stage.show(one, place, liar)));
    }
  } finally {
    await stage.close();
  }
  sites.print(suite, `${jsonCorpus.length} cases and ${ownCases.length} of our own, ${runs.length} runs`);
  return wrong;
}

interface CorpusStage {
  /** Everything that is wrong with how the client takes it; empty when all is well. */
  show(one: JsonCase, place: Place, liar: Liar): Promise<readonly string[]>;
  close(): Promise<void>;
}

const words = 'words';
const inTheEnd = ['new', 'stays', words];
const me = '{"id":"k1","username":"me","created_at":1750000000}';
/** Shows by what they wrote that the ids in messages are those in conversations, so that it is known who the user is. */
const other = '{"id":"k2","username":"ann","created_at":1750000000}';

interface Truth {
  readonly messages: Map<string, string>;
  isMuted: boolean;
}

const truth = (): Truth => ({
  messages: new Map([
    ['m1', 'old'],
    ['m2', 'to be deleted'],
    ['m3', 'stays'],
  ]),
  isMuted: false,
});

async function corpusStage(): Promise<CorpusStage> {
  let held = truth();
  let odd: ((resource: Resource, method: string) => Buffer | null) | null = null;
  const server = await httpServer((_request, response, seen) => {
    const resource = resourceOf(seen);
    const well = perform(held, seen);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(odd?.(resource, seen.method) ?? well);
  });
  const client = createClient({ baseUrl: server.url, token: 'token-of-a-test' });
  return {
    show: async (one, place, liar) => {
      held = truth();
      server.seen.length = 0;
      const lie = (resource: Resource, method: string): Buffer | null =>
        liar === 'all' || (liar === 'reads') === (method === 'GET') ? corpusAnswer(one.bytes, place, resource) : null;
      const isRefused = liar !== 'writes' && !isJson(corpusAnswer(one.bytes, place, 'conversations'));
      const wrong = await live(client, isRefused, (isOdd) => {
        odd = isOdd ? lie : null;
      });
      const answers = (['message', 'conversation', 'messages', 'conversations'] as const).map((resource) =>
        corpusAnswer(one.bytes, place, resource),
      );
      const writes = server.seen.filter(({ method }) => method !== 'GET');
      return [...wrong, ...strayWrites(writes, answers), ...unlike(held, writes)].map(
        (text) => `${one.name} as ${place}, ${liar}: ${text}`,
      );
    },
    close: async () => {
      await client.close();
      await server.close();
    },
  };
}

/** As a reader of JSON sees it that has nothing to do with ours; ours skips a byte order mark. */
function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString().replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}

/** Opens, acts while the server is odd, and waits until it is well again. `isRefused`: there is nothing in it to believe. */
async function live(client: Client, isRefused: boolean, setOdd: (isOdd: boolean) => void): Promise<readonly string[]> {
  const clock = fakeClock();
  const { client: watched, idle } = watchedClient(client);
  const outbox = memoryOutbox();
  const store = createAppStore(initialState({ settings: { revealReading: false } }));
  const wrong: string[] = [];
  let uuids = 0;
  const engine = createEngine({
    client: watched,
    store,
    outbox,
    cache: memoryCache(),
    clock,
    random: () => 0.5,
    newUuid: () => `u${++uuids}`,
    onBug: (error) => void wrong.push(`a bug: ${String(error)}`),
  });
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      await idle();
      await clock.advance(1_000);
    }
    await idle();
  };
  const told = new Set<string>();
  store.subscribe(({ screen }) => {
    for (const { about } of screen.notices) told.add(about);
  });
  setOdd(false);
  engine.start();
  store.setState((state) => ({ ...state, view: { ...state.view, openId: 'c1' } }));
  engine.openConversation('c1');
  await pass(2);
  setOdd(true);
  await pass(20);
  if (told.size > 1) wrong.push(`told: ${[...told].join()}`);
  const { status } = store.getState().view.connection;
  if (isRefused && status !== 'not-api') wrong.push(`not told: ${status}`);
  const known = ['m1', 'm2', 'm3'];
  const shown = store.getState().cache.threads.get('c1')?.messages ?? [];
  const strange = shown.filter(({ id }) => !known.includes(id));
  for (const action of [...deeds, ...strange.map(({ id }) => deletion(id))]) engine.enqueue(action);
  await pass(30);
  setOdd(false);
  await pass(60);
  for (const { uuid, state } of store.getState().local.outbox) if (state === 'failed') engine.retry(uuid);
  await pass(180);
  wrong.push(...unhealed(store.getState()));
  if ('polluted' in {}) wrong.push('a prototype was changed');
  await engine.stop();
  return wrong;
}

/** What is not shown as it is, once all is well again. */
function unhealed({ cache, local }: AppState): readonly string[] {
  const texts = (cache.threads.get('c1')?.messages ?? []).map(({ text }) => text).toSorted();
  return [
    ...(texts.join() === inTheEnd.join() ? [] : [`shown is ${JSON.stringify(texts)}`]),
    ...(cache.conversations.get('c1')?.isMuted === true ? [] : ['not shown as muted']),
    ...local.outbox.map(({ action, state }) => `left in the outbox: ${action.kind} ${state}`),
  ];
}

const mine = { conversationId: 'c1' } as const;
const deletion = (messageId: string): OpAction => ({ kind: 'message.delete', ...mine, messageId });
const deeds: readonly OpAction[] = [
  { kind: 'message.send', ...mine, text: words },
  { kind: 'message.edit', ...mine, messageId: 'm1', base: 'old', text: 'new' },
  deletion('m2'),
  { kind: 'conversation.mute', ...mine, value: true },
];

const pathOf = ({ url }: Seen): string => url.split('?')[0] ?? '';
const idOf = (seen: Seen): string => decodeURIComponent(pathOf(seen).split('/')[3] ?? '');

function resourceOf(seen: Seen): Resource {
  const isMessages = pathOf(seen).startsWith('/v1/messages');
  const isOne = idOf(seen) !== '' || seen.method === 'POST';
  if (isMessages) return isOne ? 'message' : 'messages';
  return isOne ? 'conversation' : 'conversations';
}

/** Carries out what is asked for, and answers as the document has it. */
function perform(held: Truth, seen: Seen): string {
  const { method, body } = seen;
  const form = new URLSearchParams(body);
  const id = idOf(seen);
  const message = (one: string): string =>
    `{"id":"${one}","conversation_id":"c1","contact":${one === 'm3' ? other : me},"message":"${held.messages.get(one) ?? ''}","reactions":[],"attachments":[],"read_at":null,"created_at":${1_760_000_000 + Number(one.slice(1))},"updated_at":null}`;
  const conversation = (): string =>
    `{"id":"c1","contact_id":"k2","group_id":null,"pinned_message_id":null,"is_pinned":false,"is_muted":${held.isMuted},"last_active_at":1760000000,"last_opened_at":null,"created_at":1750000000,"archived_at":null}`;
  if (pathOf(seen).startsWith('/v1/conversations')) {
    held.isMuted ||= form.get('is_muted') === 'true';
    return id === '' ? `{"has_more":false,"data":[${conversation()}]}` : conversation();
  }
  if (method === 'POST') {
    const made = `m${4 + held.messages.size}`;
    held.messages.set(made, form.get('message') ?? '');
    return message(made);
  }
  if (method === 'PUT' && held.messages.has(id)) held.messages.set(id, form.get('message') ?? '');
  if (method === 'DELETE') held.messages.delete(id);
  if (method === 'DELETE') return '{"deleted":true}';
  if (id !== '') return message(id);
  return `{"has_more":false,"data":[${[...held.messages.keys()].toReversed().map(message).join()}]}`;
}

/** Writes to what neither we nor the server ever named. */
function strayWrites(writes: readonly Seen[], answers: readonly Buffer[]): readonly string[] {
  const named = new Set(['m1', 'm2', 'c1', ...answers.flatMap((bytes) => [...scalarsIn(bytes)])]);
  return writes
    .filter(({ method }) => method !== 'POST')
    .filter((one) => !named.has(idOf(one)))
    .map(({ method, url }) => `${method} ${url}`);
}

function unlike(held: Truth, writes: readonly Seen[]): readonly string[] {
  const texts = [...held.messages.values()].toSorted();
  const posts = writes.filter(({ method }) => method === 'POST').length;
  return [
    ...(texts.join() === inTheEnd.join() ? [] : [`the server has ${JSON.stringify(texts)}`]),
    ...(posts === 1 ? [] : [`${posts} POSTs`]),
    ...(held.isMuted ? [] : ['the server has it not muted']),
  ];
}
