/** `msg-tui hooks test` says which cached messages would have run a hook. It runs nothing and asks no server. */
import { type HookVerdict, hooksFor, isFailure } from '../../notify/hook-policy.ts';
import type { ConversationId, Message } from '../../protocol/types.ts';
import { ownership } from '../../state/local/identity.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { authorName, selectConversationName } from '../../state/select/names.ts';
import { openCache } from '../../storage/cache/open.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal } from '../../text/safe-text.ts';
import { fullTime } from '../../text/time.ts';
import { valueText } from '../config/setting-values.ts';
import { withAccount } from '../headless/account.ts';
import type { AccountOptions } from '../headless/account-options.ts';
import { counted } from '../output/check.ts';
import { isoTime, jsonDocument, type Output, processOutput } from '../output/print.ts';
import { type Column, tableText } from '../output/table.ts';

export interface TestOptions extends AccountOptions {
  readonly days: number;
  readonly json?: boolean;
}

type Cache = Pick<ReturnType<typeof openCache>, 'history'>;
type Name = 'arrival' | 'mention';

export interface HookTest {
  readonly hook: Name;
  readonly command: readonly string[];
  /** How many messages would have run the hook. */
  readonly runs: number;
  /** The number of messages that the hook is for but that would not have run it, by the reason. */
  readonly held: Readonly<Record<string, number>>;
  /** The newest messages that would have run the hook, newest first. */
  readonly newest: readonly { readonly conversationId: ConversationId; readonly message: Message }[];
}

const dayMs = 86_400_000;
const pageRows = 500;
const mostShown = 10;

export async function testHooks(options: TestOptions, output: Output = processOutput()): Promise<void> {
  await withAccount(options, async ({ store, opened }) => {
    const cache = openCache(opened.cacheDirectory);
    try {
      const state = store.getState();
      const since = Date.now() - options.days * dayMs;
      const tests = testOf(state, messagesSince(state, cache, since));
      const failures = state.local.outbox.filter(isFailure).length;
      if (options.json === true) output.json(documentOf(state, since, tests, failures));
      else print(output, state, tests, { failures, days: options.days });
    } finally {
      cache.close();
    }
  });
}

/** Messages of others, of all conversations; those without a time are left out. */
export function* messagesSince(state: AppState, cache: Cache, since: number) {
  for (const conversationId of state.cache.conversations.keys()) {
    let page = cache.history(conversationId, 'newest', pageRows);
    for (;;) {
      const { messages, hasMore } = page;
      for (const message of messages)
        if (message.createdAt !== null && message.createdAt >= since && ownership(message, state) !== 'own')
          yield { conversationId, message, at: message.createdAt };
      const [oldest] = messages;
      if (!hasMore || oldest === undefined || (oldest.createdAt ?? since) < since) break;
      page = cache.history(conversationId, { before: oldest }, pageRows);
    }
  }
}

/** Asks about each message at its own time, with the settings and conversations as they are now. */
export function testOf(state: AppState, messages: ReturnType<typeof messagesSince>): readonly HookTest[] {
  const names = ['arrival', 'mention'] as const;
  const found = new Map<Name, { held: Map<string, number>; runs: (HookTest['newest'][number] & { at: number })[] }>(
    names.map((name) => [name, { held: new Map(), runs: [] }]),
  );
  for (const one of messages) {
    const verdicts = hooksFor(state, one.conversationId, one.message, one.at);
    for (const name of names) count(found.get(name), verdicts[name], one);
  }
  return names.map((hook) => {
    const { held, runs } = found.get(hook) ?? { held: new Map(), runs: [] };
    const newest = runs.sort((one, other) => other.at - one.at).slice(0, mostShown);
    const command = state.settings.hooks[hook];
    return { hook, command, runs: runs.length, held: Object.fromEntries(held), newest };
  });
}

function count<T>(
  into: { readonly held: Map<string, number>; readonly runs: T[] } | undefined,
  verdict: HookVerdict,
  one: T,
): void {
  if (into === undefined || verdict === null) return;
  if (verdict === 'runs') into.runs.push(one);
  else into.held.set(verdict, (into.held.get(verdict) ?? 0) + 1);
}

function documentOf(state: AppState, since: number, tests: readonly HookTest[], failures: number): string {
  const hooks = tests.map(({ newest, ...test }) => ({
    ...test,
    newest: newest.map(({ conversationId, message }) => ({
      id: message.id,
      conversation: { id: conversationId, name: selectConversationName(state, conversationId) },
      created_at: isoTime(message.createdAt),
    })),
  }));
  const failure = { hook: 'failure', command: state.settings.hooks.failure, waiting_now: failures };
  return jsonDocument({ since: isoTime(since), hooks: [...hooks, failure] });
}

const columns: readonly Column[] = [
  { heading: literal('HOOK') },
  { heading: literal('TIME') },
  { heading: literal('CONVERSATION'), least: 12 },
  { heading: literal('AUTHOR'), least: 8 },
];

function print(
  output: Output,
  state: AppState,
  tests: readonly HookTest[],
  { failures, days }: { readonly failures: number; readonly days: number },
): void {
  const lines = tests.map((test) => `${sentence(test, days)}\n`);
  const command = commandWords(state.settings.hooks.failure);
  lines.push(`hooks.failure (${command}): ${failures} in the outbox would run it now; earlier ones are not kept.\n`);
  const rows = tests.flatMap(({ hook, newest }) =>
    newest.map(({ conversationId, message }) => [
      sanitizeLine(hook),
      fullTime(message.createdAt),
      selectConversationName(state, conversationId),
      authorName(state, message.contact),
    ]),
  );
  const table = rows.length === 0 ? '' : `\nThe newest of them:\n\n${tableText(columns, rows, output.columns)}`;
  output.text(`${lines.join('')}${table}`);
}

function sentence({ hook, command, runs, held }: HookTest, days: number): string {
  const kept = Object.entries(held).map(([why, count]) => `${count} ${heldWords[why] ?? why}`);
  const rest = kept.length === 0 ? '' : `; held back: ${kept.join(', ')}`;
  const period = counted(days, 'day');
  return `hooks.${hook} (${commandWords(command)}): ${counted(runs, 'message')} of the last ${period}${rest}.`;
}

const heldWords: Readonly<Record<string, string>> = {
  muted: 'muted',
  archived: 'archived',
  'quiet hours': 'in quiet hours',
};

const commandWords = (command: readonly string[]): string =>
  command.length === 0 ? 'not set' : sanitizeLine(valueText(command));
