/** A state, a fake context that records what commands ask for, and keys to press. */

import type { CommandContext } from '../../src/commands/context.ts';
import { followingKeymap } from '../../src/commands/current-keymap.ts';
import { invoke } from '../../src/commands/invoke.ts';
import { createKeyOf } from '../../src/commands/key-advice.ts';
import { KeyRunner } from '../../src/commands/key-runner.ts';
import { notify } from '../../src/commands/notify.ts';
import { commands } from '../../src/commands/table.ts';
import { observe } from '../../src/protocol/capabilities.ts';
import { emptyDraft } from '../../src/state/composer/draft.ts';
import { draftOf, leaveDraft } from '../../src/state/composer/drafts.ts';
import { addOp, removeOp } from '../../src/state/local/outbox.ts';
import { markUnread } from '../../src/state/local/read-lines.ts';
import type { AppState, Draft, OpAction } from '../../src/state/model/app-state.ts';
import type { FetchedBack } from '../../src/state/model/history.ts';
import { typeText } from '../../src/state/search/edit-field.ts';
import { rememberClipboard } from '../../src/state/view/clipboard.ts';
import { topOverlay, typingMs } from '../../src/state/view/overlays.ts';
import { selectMessage } from '../../src/state/view/thread-place.ts';
import { closeInView, openInView, peekInView, setFocus } from '../../src/state/view/view.ts';
import type { Target } from '../../src/text/layout/row.ts';
import { actOn, openMenuOf } from '../../src/ui/click.ts';
import * as eg from '../support/builders/eg.ts';

import { fakeSettings } from './settings-page.ts';

export interface Fetching {
  readonly isWanted: () => boolean;
  readonly onPage: (oldest: number | null) => void;
  readonly end: (answer: FetchedBack | null) => void;
}

export interface World {
  readonly state: () => AppState;
  readonly draft: () => Draft;
  /** Writes in the order in which they were asked for. */
  readonly actions: OpAction[];
  /** Every other call of a port: `name argument`. */
  readonly calls: string[];
  /** The text of the newest notice. */
  readonly notice: () => string | undefined;
  /** One after the other, with a pause after each character: they are commands. */
  press(...keys: string[]): void;
  /** As a line of text would have it done. */
  run(id: string, ...words: string[]): void;
  /** Presses the left button on what is drawn with this target. */
  click(target: Target): void;
  rightClick(target: Target): void;
  /** An Alt key that came as ESC and the key `behind` it. */
  escaped(key: string, behind: string): void;
  /** @param everyMs the time from one key to the next */
  type(text: string, everyMs?: number): void;
  paste(text: string): void;
  wait(ms: number): void;
  /** The search for a message far back that was asked for last. */
  readonly fetching: () => Fetching | null;
  update(transition: (state: AppState) => AppState): void;
  /** The user's snippets, by their names. */
  readonly snippets: Record<string, string>;
  /** What the editor comes back with. */
  endEditor(edited: { readonly text: string } | { readonly problem: string; readonly saved: string | null }): void;
  /** From now on the disk refuses. */
  breakDisk(): void;
  /** From now on settings are not written until the function that it returns is called. */
  holdSettings(): () => void;
}

export function world(initial: AppState): World {
  let state = initial;
  let now = eg.now;
  let isBroken = false;
  let isWritingSlow = false;
  const writes: (() => void)[] = [];
  const snippets: Record<string, string> = {};
  let finishEditing: Parameters<CommandContext['editText']>[1] = () => undefined;
  const actions: OpAction[] = [];
  const calls: string[] = [];
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  const update = (transition: (state: AppState) => AppState): void => {
    state = transition(state);
  };
  const write = (action: OpAction): boolean => {
    if (isBroken) return false;
    actions.push(action);
    const opposite = state.local.outbox.find((op) => isOpposite(op.action, action));
    update(opposite === undefined ? addOp(eg.op(action)) : removeOp(opposite.uuid));
    return true;
  };
  const call =
    (name: string) =>
    (argument?: unknown): void => {
      calls.push(argument === undefined ? name : `${name} ${JSON.stringify(argument)}`);
    };
  let fetching: Fetching | null = null;
  const context: CommandContext = {
    get: () => state,
    update,
    now: () => now,
    keyOf: createKeyOf(followingKeymap(() => state)),
    enqueue(action, { draftOf, left } = {}) {
      if (!write(action)) return false;
      update(leaveDraft(draftOf, left ?? emptyDraft));
      return true;
    },
    openConversation(id, options) {
      call(options?.isPeek === true ? 'peek' : 'open')(id);
      update(options?.isPeek === true ? peekInView(id) : openInView(id));
    },
    closeConversation() {
      call('close')();
      update(closeInView);
    },
    composerColumns: () => 20,
    retryOp: call('retry'),
    later(ms, run) {
      timers.push({ at: now + ms, run });
    },
    letPass(uuid) {
      call('letPass')(uuid);
      return !isBroken;
    },
    discardOp(uuid, into) {
      call('discard')(uuid);
      update((held) => ({
        ...held,
        local: {
          ...held.local,
          outbox: held.local.outbox.filter((op) => op.uuid !== uuid),
          drafts:
            into === undefined ? held.local.drafts : new Map(held.local.drafts).set(into.conversationId, into.draft),
        },
      }));
      return true;
    },
    scrollThread: call('scroll'),
    revealMessage: call('reveal'),
    showMessage(id, message) {
      call('show')(message.id);
      update((held) => setFocus('messages')(selectMessage(id, message.id)(openInView(id)(held))));
      return true;
    },
    markUnread: (id) => update(markUnread(id)),
    findInHistory(id, aim) {
      call('find')(aim);
      const messages = state.cache.threads.get(id)?.messages ?? [];
      const found = aim.kind === 'message' ? messages.find((one) => one.id === aim.messageId) : messages[0];
      return found === undefined ? 'further back' : found;
    },
    fetchBack(_, aim, options) {
      call('fetchBack')(aim);
      return new Promise((resolve) => {
        fetching = { ...options, end: resolve };
      });
    },
    copy({ text }, said) {
      call('copy')(text);
      update(rememberClipboard(text));
      notify(context, said);
    },
    openLink: call('openLink'),
    readSnippet: (name, done) =>
      done(snippets[name] === undefined ? { problem: `No ${name}` } : { text: snippets[name] }),
    saveSnippet(name, text, done) {
      if (name in snippets) {
        done({ problem: `There is a snippet ${name} already` });
        return;
      }
      snippets[name] = text;
      done({ said: `Saved as ;${name}` });
    },
    saveFile(path, text, done) {
      call('saveFile')(text);
      done(isBroken ? { problem: 'No space is left' } : { said: `Saved to ${path}` });
    },
    saveKeys(changes, done) {
      call('saveKeys')(changes);
      done(isBroken ? 'No space is left' : null);
    },
    editText(text, done) {
      call('editText')(text);
      finishEditing = done;
    },
    pollNow: call('poll'),
    signIn: call('signIn'),
    testNotification: call('testNotification'),
    reportFreshness: call('reportFreshness'),
    settings: fakeSettings(call, (run) => (isWritingSlow ? void writes.push(run) : run())),
    switchAccount: call('switchAccount'),
    redraw: call('redraw'),
    suspend: () => call('suspend')(),
    quit: call('quit'),
  };
  const keymap = followingKeymap(() => state);
  const keyboard = new KeyRunner(context, keymap);
  const wait = (ms: number): void => {
    now += ms;
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { run } of due) run();
  };
  return {
    snippets,
    endEditor: (edited) => finishEditing(edited),
    state: () => state,
    draft: () => draftOf(state, state.view.openId ?? ''),
    actions,
    calls,
    notice: () => state.screen.notices.at(-1)?.text,
    press(...keys) {
      for (const key of keys) {
        const text = key === 'space' ? ' ' : [...key].length === 1 ? key : '';
        keyboard.press({ key, text });
        if (text !== '' || key === 'enter') wait(typingMs);
      }
    },
    run(id, ...words) {
      const command = commands.find((one) => one.id === id);
      if (command === undefined) throw new Error(`no command ${id}`);
      invoke(context, command, words);
    },
    click: (target) => actOn({ context, keymap }, target),
    rightClick: (target) => openMenuOf({ context, keymap }, target),
    escaped(key, behind) {
      const text = [...behind].length === 1 ? behind : '';
      keyboard.press({ key, text: '', afterEscape: { key: behind, text } });
    },
    type(text, everyMs = 0) {
      for (const character of text) {
        const isTaken = keyboard.press({ key: character === ' ' ? 'space' : character, text: character });
        const top = topOverlay(state);
        if (!isTaken && top !== null && 'typed' in top) update(typeText(top.typed + character));
        wait(everyMs);
      }
    },
    paste: (text) => keyboard.paste(text),
    wait,
    fetching: () => fetching,
    update,
    breakDisk() {
      isBroken = true;
    },
    holdSettings() {
      isWritingSlow = true;
      return () => {
        for (const run of writes.splice(0)) run();
      };
    },
  };
}

const ann = eg.contact({ id: 'ann', username: 'ann' });
const me = eg.contact({ id: 'me', username: 'me' });

/** Ann and a crew; with Ann two messages of hers and one own, the conversation open and the composer ready. */
/** A server that was seen to keep the text of a message when a reaction is sent. */
export const keepsTexts = observe({}, 'omittedText', 'kept', 0, 'test');

export function chat(shown: eg.Shown = {}, local: Partial<AppState['local']> = {}): AppState {
  const at = (minutes: number) => ({ conversationId: 'with ann', createdAt: eg.now - minutes * eg.minute });
  const messages = [
    eg.message({ id: 'm1', contact: ann, text: 'The ferry leaves at nine', ...at(30) }),
    eg.message({ id: 'm2', contact: me, text: 'Hi Ann', ...at(20) }),
    eg.message({ id: 'm3', contact: ann, text: 'noon?', reactions: [{ name: '👍', by: ['ann'] }], ...at(10) }),
  ];
  const lastOpenedAt = eg.now;
  return eg.state({
    conversations: [
      eg.conversation({ id: 'with ann', contactId: 'ann', lastActiveAt: eg.now - 10 * eg.minute, lastOpenedAt }),
      eg.conversation({ id: 'crew', groupId: 'g1', lastActiveAt: eg.now - eg.hour, lastOpenedAt }),
      eg.conversation({ id: 'with bob', contactId: 'bob', lastActiveAt: eg.now - 2 * eg.hour, lastOpenedAt }),
    ],
    contacts: [ann, me, eg.contact({ id: 'bob', username: 'bob' })],
    cache: { threads: new Map([['with ann', eg.thread(messages)]]) },
    local: { me: { contactId: 'me', username: 'me' }, capabilities: keepsTexts, ...local },
    ...eg.shown({ openId: 'with ann', focus: 'composer', ...shown }),
  });
}

/** As in the outbox, a change that takes back one that has not left drops it, and neither is sent. */
function isOpposite(held: OpAction, next: OpAction): boolean {
  const without = ({ value, present, at, messageId, ...rest }: Record<string, unknown>): string =>
    JSON.stringify([rest, 'present' in held ? messageId : null]);
  return isFlag.has(held.kind) && without({ ...held }) === without({ ...next });
}

const isFlag = new Set([
  'conversation.pin',
  'conversation.mute',
  'conversation.archive',
  'conversation.pinMessage',
  'message.react',
]);
