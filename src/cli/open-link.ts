/**
 * Hands an address to the desktop's browser (reliability.md R-LINK): one argument of a program, and no part of a command
 * line but on Windows, where `open` quotes it for PowerShell.
 */
import type { Environment } from '../config/environment.ts';

export type LinkOutcome = 'opened' | 'no desktop' | 'failed';

/** How long a program that found no browser needs to say so. */
const refusalMs = 1_500;

/** @param href what `state/links` let through */
export async function openLink(href: string, { hasDesktop }: Pick<Environment, 'hasDesktop'>): Promise<LinkOutcome> {
  // Without a desktop `xdg-open` would start a browser for terminals in the middle of this one.
  if (!hasDesktop) return 'no desktop';
  try {
    const { default: open } = await import('open');
    const opener = await open(href);
    return await new Promise((resolve) => {
      opener.once('exit', (code) => resolve(code === 0 ? 'opened' : 'failed'));
      setTimeout(() => resolve('opened'), refusalMs).unref();
    });
  } catch {
    return 'failed';
  }
}
