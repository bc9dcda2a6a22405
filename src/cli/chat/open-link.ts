/**
 * Passes an address to the desktop's browser (R-LINK) as one argument of a program. It is part of a command line only on
 * Windows, where `open` quotes it for PowerShell.
 */
import type { Environment } from '../../config/environment.ts';

export type LinkOutcome = 'opened' | 'no desktop' | 'failed';

/** The time within which a program that finds no browser usually fails. */
const refusalMs = 1_500;
/** The time within which it may still fail; a program that ends later was a browser. */
const lateRefusalMs = 10_000;

/**
 * @param href an address that `state/select/links` has accepted
 * @param report is called with the outcome: once, and a second time when the opening fails after `opened` was reported
 */
export async function openLink(
  href: string,
  { hasDesktop }: Pick<Environment, 'hasDesktop'>,
  report: (outcome: LinkOutcome) => void,
): Promise<void> {
  // Without a desktop `xdg-open` would start a browser for terminals in the middle of this one.
  if (!hasDesktop) return report('no desktop');
  try {
    const { default: open } = await import('open');
    const opener = await open(href);
    let said: LinkOutcome | null = null;
    const say = (outcome: LinkOutcome): void => {
      if (said !== outcome) report(outcome);
      said = outcome;
    };
    const taken = setTimeout(() => say('opened'), refusalMs).unref();
    const ended = (code: number | null): void => {
      clearTimeout(taken);
      say(code === 0 ? 'opened' : 'failed');
    };
    opener.once('exit', ended);
    setTimeout(() => opener.off('exit', ended), lateRefusalMs).unref();
  } catch {
    report('failed');
  }
}
