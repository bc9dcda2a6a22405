/** An error in a file of the user's: one line with the file, the line in it and what to do. */

export class ConfigError extends Error {
  override readonly name: string = 'ConfigError';
  readonly file: string;
  /** From 1; null when the whole file is meant. */
  readonly line: number | null;
  constructor(file: string, line: number | null, problem: string) {
    super(`${file}${line === null ? '' : `:${line}`}: ${problem}`);
    this.file = file;
    this.line = line;
  }
}

/** The user named a profile that config.toml does not have. */
export class UnknownProfile extends ConfigError {
  override readonly name = 'UnknownProfile';
}

/** The code of a failed system call (`ENOENT`), or the empty string. */
export function systemCode(error: unknown): string {
  const code = error instanceof Error ? (error as { readonly code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}
