/** Takes the token out of every text that leaves this layer (reliability.md R-TOK-2). */

export type Redact = (text: string) => string;

const tokenShape = /^[\x21-\x7e]{1,4096}$/;

/** Whether a token may be put into a header at all. */
export function isToken(token: string): boolean {
  return tokenShape.test(token);
}

/** Replaces the exact token, also percent-encoded, and whatever follows `Bearer`. */
export function createRedact(token: string): Redact {
  const forms = [...new Set([token, encodeURIComponent(token)])].filter((form) => form.length > 0);
  return (text) =>
    forms
      .reduce((done, form) => done.replaceAll(form, '[token]'), text)
      .replace(/Bearer\s+(?!\[token\])\S+/gi, 'Bearer [token]');
}
