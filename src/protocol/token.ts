/** What an access token has to look like, wherever it is given. */

const longestToken = 4096;

/** A shorter text would be found in ordinary words, so that it could not be taken out of what is shown and written. */
const shortestToken = 8;

/** What is wrong with a token, as the end of a line that never quotes it; null when a header may carry it. */
export function tokenProblem(token: string): string | null {
  if (token === '') return 'the token is empty';
  if (token.length > longestToken || !/^[\x21-\x7e]+$/.test(token))
    return 'a token is one word of ASCII characters; paste it once more';
  return token.length < shortestToken ? `the token is shorter than ${shortestToken} characters` : null;
}
