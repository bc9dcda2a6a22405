/** `msg-tui doctor --keys` asks for the keys that terminals lose, and saves which of them did not arrive. */
import { setTimeout as wait } from 'node:timers/promises';
import { keyLabel } from '../../commands/label.ts';
import type { Environment } from '../../config/environment.ts';
import { writeLostKeys } from '../../config/lost-keys.ts';
import { initialCapabilities, learnFromReply, queriesFor } from '../../terminal/capabilities.ts';
import type { InputEvent } from '../../terminal/events.ts';
import { Input } from '../../terminal/input.ts';
import { kittySequence } from '../../terminal/modes.ts';
import { wrap } from '../../text/layout/wrap.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { forLocale } from '../process/ascii-output.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { terminalFacts } from '../process/terminal-session.ts';

/** Keys that some terminals, multiplexers or desktops keep, or send as another key. */
export const askedKeys = ['shift+enter', 'alt+enter', 'ctrl+enter', 'alt+a', 'alt+up', 'alt+shift+down', 'ctrl+space'];
const answerMs = 15_000;

/** The terminal on which the user is asked; tests give another one. */
export interface KeyAsker {
  readonly isTty: boolean;
  readonly columns: number;
  readonly write: (text: string) => void;
  readonly open: () => void;
  readonly close: () => void;
  /** Resolves to the next event; null when none came for a while. */
  readonly next: () => Promise<InputEvent | null>;
}

/** @throws ExitError without a terminal, and when Ctrl-C ends it; then nothing is saved */
export async function tryKeys(
  environment: Pick<Environment, 'terminal'>,
  stateDirectory: string,
  asker: KeyAsker = thisTerminal(environment),
): Promise<void> {
  if (!asker.isTty) throw new ExitError(exitCodes.usage, 'doctor --keys needs a terminal, as it asks for keys');
  const say = (text: string): void => asker.write(forLocale(text, environment.terminal));
  const sayWrapped = (text: string): void => say(`${wrap(sanitizeLine(text), asker.columns).join('\n')}\n`);
  // What to do has a line of its own where it would leave no room for the result.
  const sayAsked = (what: string, toDo: string): void => {
    const ask = `(${toDo}) `;
    const isOwnLine = labelColumns + ask.length + doesNotArrive.length > asker.columns;
    if (isOwnLine) sayWrapped(`  ${ask.trim()}`);
    say(`  ${what.padEnd(18)}${isOwnLine ? '' : ask}`);
  };
  sayWrapped(
    `Press each key that is named. Where nothing happens, press Space, or wait ${answerMs / 1000} seconds. Ctrl-C ends without a change.`,
  );
  say('\n');
  asker.open();
  const lost: string[] = [];
  try {
    for (const key of askedKeys) {
      say(`  ${keyLabel(key).padEnd(18)}`);
      const came = await awaited(asker, (event) => event.type === 'key' && event.key === key);
      say(`${came}\n`);
      if (came !== arrived) lost.push(key);
    }
    sayAsked('a paste', 'paste any text');
    say(`${await awaited(asker, (event) => event.type === 'paste')}\n`);
    sayAsked('a focus change', 'go to another window and come back');
    say(`${await awaited(asker, (event) => event.type === 'focus')}\n\n`);
  } finally {
    asker.close();
  }
  writeLostKeys(stateDirectory, environment.terminal, lost);
  sayWrapped(
    lost.length === 0
      ? 'All of these keys arrive in this terminal.'
      : `The chat shows other keys than ${lost.map(keyLabel).join(', ')} in this terminal from now on.`,
  );
}

const arrived = 'arrives';
const doesNotArrive = 'does not arrive';
/** The indent and the name of what is asked for. */
const labelColumns = 20;

/** Says whether the key arrived, another key came in its place, or nothing did. */
async function awaited({ next }: KeyAsker, isIt: (event: InputEvent) => boolean): Promise<string> {
  for (;;) {
    const event = await next();
    if (event === null) return doesNotArrive;
    if (isIt(event)) return arrived;
    if (event.type === 'key' && event.key === 'ctrl+c')
      throw new ExitError(exitCodes.interrupted, 'ended by Ctrl-C; nothing was kept');
    if (event.type === 'key') return event.key === 'space' ? doesNotArrive : `arrives as ${keyLabel(event.key)}`;
  }
}

const pasteAndFocus = { on: '\x1b[?2004h\x1b[?1004h', off: '\x1b[?2004l\x1b[?1004l' };

function thisTerminal(environment: Pick<Environment, 'terminal'>): KeyAsker {
  const facts = terminalFacts(environment);
  const events: InputEvent[] = [];
  let capabilities = initialCapabilities(facts);
  let arrive: () => void = () => undefined;
  const write = (text: string): void => void process.stdout.write(text);
  const input = new Input({ stdin: process.stdin });
  input.attach((event) => {
    if (event.type === 'reply') {
      const before = capabilities.kittyKeyboard;
      capabilities = learnFromReply(capabilities, event);
      if (!before && capabilities.kittyKeyboard) write(kittySequence(true));
      return;
    }
    events.push(event);
    arrive();
  });
  return {
    isTty: facts.isTty,
    columns: process.stdout.columns > 0 ? process.stdout.columns : 80,
    write,
    open() {
      input.start();
      write(`${pasteAndFocus.on}${queriesFor(facts)}`);
    },
    close() {
      write(`${capabilities.kittyKeyboard ? kittySequence(false) : ''}${pasteAndFocus.off}`);
      input.stop();
    },
    async next() {
      const aborted = new AbortController();
      if (events.length === 0)
        await Promise.race([
          new Promise<void>((resolve) => {
            arrive = resolve;
          }),
          wait(answerMs, undefined, { signal: aborted.signal }).catch(() => undefined),
        ]);
      aborted.abort();
      return events.shift() ?? null;
    },
  };
}
