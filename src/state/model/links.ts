/** The addresses of a message that may be opened, as the overlay lists them. */
import type { SafeText } from '../../text/safe-text.ts';

export interface LinkAddress {
  /** As the URL standard writes it: ASCII, the host in Punycode, so that look-alike letters show. */
  readonly href: string;
  /** The address; that of an attachment comes after its name. */
  readonly shown: SafeText;
}

export interface Links {
  readonly addresses: readonly LinkAddress[];
  /** The number of addresses left out: neither http nor https, with a user name or password, or not valid. */
  readonly refused: number;
}
