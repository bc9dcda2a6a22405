/** Reads addresses that came as text, and says which of them may be opened or fetched. */

/**
 * Returns null for a text that is no URL. `URL.canParse` is not used anywhere: in Node 20 and 22 it refuses letters
 * such as ü and ß as soon as V8 has compiled its caller.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** An http or https address without a user name and a password (R-LINK); else null. */
export function webAddress(text: string): URL | null {
  const url = parseUrl(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  return url.username === '' && url.password === '' ? url : null;
}
