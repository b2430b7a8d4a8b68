// Code that a function loads when it is first needed, so that it starts without it.

/** A call whose function is loaded and made at the first call. If loading fails, the next call tries again. */
export function atFirstCall<Args extends unknown[], Answer>(
  load: () => Promise<(...args: Args) => Promise<Answer>>,
): (...args: Args) => Promise<Answer> {
  const loaded = once(load);
  return async (...args) => (await loaded())(...args);
}

/** What `load` gives, loaded once. If it fails, the next call tries again. */
export function once<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
