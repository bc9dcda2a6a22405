/** Turns what a user typed for the server's address into one base URL, or says in one line what is wrong with it. */

export type BaseUrl = { readonly url: string } | { readonly problem: string };

/**
 * Accepts a path prefix, a trailing slash and a trailing `/v1` (both cut off); without a scheme https is taken, http
 * for loopback hosts. Plain http elsewhere needs `insecureHttp` (R-TLS). Problems never quote the input, which may hold
 * a password.
 */
export function normaliseBaseUrl(input: string, options: { readonly insecureHttp?: boolean } = {}): BaseUrl {
  const text = input.trim();
  if (text === '') return { problem: 'the server address is empty' };
  if (/[\s\u0000-\u001f\u007f\\]/.test(text)) return { problem: 'the server address has spaces or control characters' };
  const url = parse(text);
  if (url === null) return { problem: 'the server address is not a URL, such as https://chat.example.com' };
  if (url.username !== '' || url.password !== '') {
    return { problem: 'the server address holds a user name or password; leave them out and give the token instead' };
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return { problem: 'the server address must begin with https://' };
  }
  if (text.includes('?') || text.includes('#')) return { problem: 'the server address must not have a ? or # part' };
  if (url.protocol === 'http:' && options.insecureHttp !== true && !isLoopbackHost(url.hostname)) {
    return { problem: 'plain http would send the token readable by all on the way; use https://, or --insecure-http' };
  }
  return { url: url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '') };
}

/** `127.0.0.0/8`, `[::1]` and `localhost` (whose addresses are checked again when connecting). */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname === '::1' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function parse(text: string): URL | null {
  try {
    if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(text)) return new URL(text);
    const url = new URL(`https://${text}`);
    return isLoopbackHost(url.hostname) ? new URL(`http://${text}`) : url;
  } catch {
    return null;
  }
}
