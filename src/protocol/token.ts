/** Checks the form of an access token. */

const longestToken = 4096;

/** A shorter token may occur in ordinary words, so that it could not be removed from texts that are shown or logged. */
const shortestToken = 8;

/** Says what is wrong with a token, as the end of a line, without quoting it; null when it can be sent in a header. */
export function tokenProblem(token: string): string | null {
  if (token === '') return 'the token is empty';
  if (token.length > longestToken || !/^[\x21-\x7e]+$/.test(token))
    return 'a token is one word of ASCII characters; paste it once more';
  return token.length < shortestToken ? `the token is shorter than ${shortestToken} characters` : null;
}
