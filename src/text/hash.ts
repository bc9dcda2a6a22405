/** Computes a short number of a text, the same after every start. */

/** FNV-1a with 32 bits, of UTF-16 units. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
