/** One word that may follow, and what it is. */
export interface Candidate {
  readonly value: string;
  /** One line for shells that show it; '' for none. */
  readonly about: string;
}

/** What the shell is to offer: these words, or names of files. */
export interface Offer {
  readonly kind: 'words' | 'files' | 'directories';
  readonly candidates: readonly Candidate[];
}
