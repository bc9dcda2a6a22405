/** Runs the commands of `hooks.arrival`, `hooks.mention` and `hooks.failure` while the chat is open. */
import { childEnvironment } from '../../config/child-environment.ts';
import { createCommandRunner } from '../../hooks/command-runner.ts';
import { type Arrived, arrivalDocument, failureDocument } from '../../notify/hook-document.ts';
import { type HookName, hooksFor, isFailure } from '../../notify/hook-policy.ts';
import { isNews } from '../../notify/policy.ts';
import type { AppState, Op } from '../../state/model/app-state.ts';
import type { Incoming } from '../../state/model/incoming.ts';
import type { AppStore } from '../../state/store.ts';
import type { HookEntry } from '../../storage/ledger/entry.ts';
import { systemClock } from '../../sync/services/clock.ts';

export interface HooksOptions {
  readonly store: Pick<AppStore, 'getState'>;
  /** Returns the texts that must not be in the environment of a command. */
  readonly secrets: () => readonly string[];
  readonly report: (text: string, about: string) => void;
  readonly record: (entry: HookEntry) => void;
  readonly clock?: typeof systemClock;
}

export interface Hooks {
  readonly onIncoming: (incoming: Incoming) => void;
  /** To be called after every change of the state. */
  readonly onState: () => void;
  readonly stop: () => void;
}

/** The most messages in one document; its count says how many there were. */
const mostInDocument = 50;

export function createHooks(options: HooksOptions): Hooks {
  const { clock = systemClock } = options;
  const { getState } = options.store;
  const startedAt = clock.now();
  const arrival = queueOf<Arrived>(options, 'arrival', (state, held) => arrivalDocument(state, 'arrival', held));
  const mention = queueOf<Arrived>(options, 'mention', (state, held) => arrivalDocument(state, 'mention', held));
  const failure = queueOf<Op>(options, 'failure', failureDocument);
  let before = getState().local.outbox;
  /** The failures that were reported, or are from before this program was started. */
  let known = new Set(before.filter(isFailure).map(({ uuid }) => uuid));
  return {
    onIncoming({ conversationId, messages, behindMs = 0 }) {
      const state = getState();
      if (!runsHere(state)) return;
      const arrived = messages
        .filter((message) => isNews(message, startedAt - behindMs))
        .map((message) => ({ conversationId, message, ...hooksFor(state, conversationId, message, clock.now()) }));
      arrival.add(arrived.filter((one) => one.arrival === 'runs'));
      mention.add(arrived.filter((one) => one.mention === 'runs'));
    },
    onState() {
      const state = getState();
      const { outbox } = state.local;
      if (outbox === before) return;
      before = outbox;
      const failed = outbox.filter(isFailure);
      const fresh = failed.filter(({ uuid }) => !known.has(uuid));
      known = new Set(failed.map(({ uuid }) => uuid));
      if (runsHere(state)) failure.add(fresh);
    },
    stop() {
      for (const queue of [arrival, mention, failure]) queue.stop();
    },
  };
}

/** Of several programs on one profile the one that sends runs the hooks, so that no message runs them twice. */
const runsHere = ({ view }: AppState): boolean => (view.otherSender ?? null) === null;

interface Held<T> {
  readonly newest: readonly T[];
  readonly count: number;
  readonly now: number;
}

/** Collects what a hook is about until its command may run again, so that nothing is left out. */
function queueOf<T>(
  { store, secrets, report, record, clock = systemClock }: HooksOptions,
  name: HookName,
  documentOf: (state: AppState, held: Held<T>) => object,
) {
  const reason = `hooks.${name}`;
  let newest: readonly T[] = [];
  let count = 0;
  const runner = createCommandRunner({
    clock,
    environment: () => childEnvironment(secrets()),
    onTrouble: (problem) => report(`The command of ${reason} failed: ${problem}`, reason),
    onRun: (run) => record({ kind: 'hook', at: clock.now(), reason, ...run }),
  });
  const take = (): string => {
    const document = documentOf(store.getState(), { newest, count, now: clock.now() });
    newest = [];
    count = 0;
    return `${JSON.stringify(document)}\n`;
  };
  return {
    add(items: readonly T[]) {
      const argv = store.getState().settings.hooks[name];
      if (argv.length === 0 || items.length === 0) return;
      newest = [...newest, ...items].slice(-mostInDocument);
      count += items.length;
      runner.run({ argv, input: take });
    },
    stop: () => runner.stop(),
  };
}
