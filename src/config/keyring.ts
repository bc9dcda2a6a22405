/**
 * Uses the keyring of the system: Secret Service, Keychain or Credential Manager. Another process asks it, which is
 * killed when it takes too long: the native calls block, and one that waits for a bus or for a person never comes back.
 */
import type { ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { keyringHelper } from './keyring-helper.ts';

export interface KeyringCall {
  /** Also ends the call; it fails with `KeyringError` then. */
  readonly signal?: AbortSignal;
  readonly deadlineMs: number;
}

/** All fail with `KeyringError` and with nothing else. */
export interface Keyring {
  /** Resolves to null when the keyring holds nothing under this name. */
  get(entry: string, call: KeyringCall): Promise<string | null>;
  /** Resolves to what the keyring holds afterwards. */
  set(entry: string, token: string, call: KeyringCall): Promise<string | null>;
  remove(entry: string, call: KeyringCall): Promise<void>;
}

/** `message` is the end of a sentence, `it is locked`; none of it comes from the system itself. */
export class KeyringError extends Error {
  override readonly name = 'KeyringError';
}

/** @param modulePath of the native package; null when it is not installed */
export function createKeyring(modulePath: () => string | null): Keyring {
  const ask = async (request: Request, call: KeyringCall): Promise<string | null> => {
    const module = modulePath();
    if (module === null) throw new KeyringError('its optional package is not installed');
    return readAnswer(await runHelper(JSON.stringify({ ...request, module }), call));
  };
  return {
    get: (entry, call) => ask({ action: 'get', entry }, call),
    set: (entry, token, call) => ask({ action: 'set', entry, token }, call),
    remove: async (entry, call) => void (await ask({ action: 'remove', entry }, call)),
  };
}

export const systemKeyring: Keyring = createKeyring(() => {
  try {
    return createRequire(import.meta.url).resolve('@napi-rs/keyring');
  } catch {
    return null;
  }
});

interface Request {
  readonly action: 'get' | 'set' | 'remove';
  readonly entry: string;
  readonly token?: string;
}

/** The request goes through a pipe: arguments and environments can be read by others. */
function runHelper(request: string, { signal, deadlineMs }: KeyringCall): Promise<string> {
  if (signal?.aborted === true) return Promise.reject(new KeyringError('it was not asked'));
  // Loaded here: most starts ask no keyring.
  const { spawn } = process.getBuiltinModule('node:child_process');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', keyringHelper], {
      stdio: ['pipe', 'pipe', 'ignore'],
      // Options meant for this process may make the other one print, or stop in a debugger.
      env: { ...process.env, NODE_OPTIONS: '' },
      windowsHide: true,
    });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      child.kill('SIGKILL');
      settle();
    };
    const fail = (problem: string): void => end(() => reject(new KeyringError(problem)));
    const stop = (): void => fail('it did not answer');
    const timer = setTimeout(() => fail('it did not answer'), deadlineMs);
    signal?.addEventListener('abort', stop);
    child.once('error', () => fail('it could not be asked'));
    collect(child, (text) => end(() => resolve(text)));
    // A process that is gone already does not read.
    child.stdin?.on('error', () => undefined);
    child.stdin?.write(`${request}\n`);
  });
}

function collect(child: ChildProcess, done: (text: string) => void): void {
  let text = '';
  child.stdout?.setEncoding('utf8');
  child.stdout?.on('data', (part: string) => {
    text += part;
  });
  child.once('close', () => done(text));
}

function readAnswer(text: string): string | null {
  const answer = parse(text);
  if (typeof answer?.problem === 'string') throw new KeyringError(inOurWords(answer.problem));
  if (answer?.token === null || typeof answer?.token === 'string') return answer.token;
  throw new KeyringError('it stopped without an answer');
}

function parse(text: string): { readonly token?: unknown; readonly problem?: unknown } | null {
  try {
    return JSON.parse(text) as { readonly token?: unknown; readonly problem?: unknown };
  } catch {
    return null;
  }
}

/** The system's own messages name its parts and may quote anything, so they are not shown. */
function inOurWords(problem: string): string {
  if (/lock|dismiss|prompt/i.test(problem)) return 'it is locked';
  if (/denied|not allowed|authoriz|interaction/i.test(problem)) return 'access was denied';
  if (/d-?bus|connect|socket|no such file|not provided|unavailable/i.test(problem))
    return 'there is none in this session';
  if (/too long|too large|too big/i.test(problem)) return 'the token is too long for it';
  return 'it failed';
}
