/** Reads an answer where the terminal hands its input over by lines. It loads nothing, as the start of the chat needs it. */

export const isYes = (answer: string | null): boolean => /^y(es)?$/i.test(answer?.trim() ?? '');

/** The next line; '' where the input ends. */
export async function readLine(): Promise<string> {
  const { stdin } = process;
  const line = await new Promise<string>((resolve) => {
    stdin.once('data', (data) => resolve(String(data)));
    stdin.once('end', () => resolve(''));
  });
  stdin.pause();
  return line;
}
