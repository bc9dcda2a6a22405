/** The `code` of a system or library error; null where it has none. Node may wrap one error for each address that it tried. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error.name === 'HTTPParserError') return 'HPE_INVALID';
  return error instanceof AggregateError ? errorCode(error.errors[0]) : null;
}
