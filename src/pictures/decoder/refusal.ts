/** Refuses files with an error that says why: a few words that follow the name of the attachment. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** The most pixels that a picture may have; its header is read before anything is decoded. */
export const mostPixels = 50_000_000;
/** One row of pixels has to fit into little memory. */
const longestSide = 65_535;

/** @throws Refusal */
export function checkSize(width: number, height: number): void {
  if (width < 1 || height < 1) throw new Refusal('it has no pixels');
  if (width * height > mostPixels || Math.max(width, height) > longestSide)
    throw new Refusal(`it is too large (${width} × ${height} pixels)`);
}
