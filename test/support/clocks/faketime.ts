/** Another time of day for a process, by libfaketime (Linux); suites that need it are left out without. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const library = ['/usr/lib', '/usr/local/lib', ...subfolders('/usr/lib')]
  .map((folder) => join(folder, 'faketime/libfaketimeMT.so.1'))
  .find((file) => existsSync(file));

export const hasFaketime = process.platform === 'linux' && library !== undefined;

export function sayNoFaketime(suite: string): void {
  if (!hasFaketime) process.stdout.write(`${suite}: left out, there is no libfaketime here\n`);
}

export interface OtherTime {
  /** For the process; the monotonic clock stays true, as when somebody sets the clock of a machine. */
  readonly env: Readonly<Record<string, string>>;
  /** `+1h`, `-3650d`: from now on the process reads the true time and so much. */
  set(offset: string): void;
}

export function otherTime(folder: string, offset: string): OtherTime {
  const file = join(folder, 'faketime.rc');
  const set = (text: string): void => writeFileSync(file, `${text}\n`);
  set(offset);
  return {
    env: {
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    set,
  };
}

function subfolders(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));
}
