/** The types of what a shell is offered for a half-typed command line. */

/** One word that may follow, and what it is. */
export interface Candidate {
  readonly value: string;
  /** One line for shells that show it; '' for none. */
  readonly about: string;
}

/** The answer to the shell: it offers these words, or names of files. */
export interface Offer {
  readonly kind: 'words' | 'files' | 'directories';
  readonly candidates: readonly Candidate[];
}
