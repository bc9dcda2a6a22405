/** Turns a walk that pushes its pages into a function that reads one page at a time. */

export type Pulled<P, R> = { readonly page: P } | { readonly result: R };

/**
 * Each call of the returned function resolves with the next page, or with the walk's result at its end. Between two
 * calls the walk does nothing. Rejects as the walk does.
 */
export function pulled<P, R>(walk: (onPage: (page: P) => Promise<void>) => Promise<R>): () => Promise<Pulled<P, R>> {
  let begin: (() => Promise<R>) | null = () => walk(onPage);
  let goOn = (): void => undefined;
  let tell: (step: Pulled<P, R>) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const onPage = (page: P): Promise<void> => {
    tell({ page });
    return new Promise((resolve) => {
      goOn = resolve;
    });
  };
  return () =>
    new Promise((resolve, reject) => {
      tell = resolve;
      fail = reject;
      if (begin === null) return goOn();
      const walking = begin();
      begin = null;
      walking.then(
        (result) => tell({ result }),
        (error: unknown) => fail(error),
      );
    });
}
