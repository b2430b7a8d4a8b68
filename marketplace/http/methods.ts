/** Refuses the methods that a path does not support; `Allow` lists the supported ones. */
import type { Context, Hono } from 'hono';

/** Call it after the path's own routes: it refuses every method that they don't handle. */
export function refuseOtherMethods(
  app: Hono,
  path: string,
  o: { methods: readonly string[]; refuse: (c: Context, allow: string) => Response },
): void {
  const allow = allowed(o.methods);
  app.all(path, (c) => o.refuse(c, allow));
}

function allowed(methods: readonly string[]): string {
  const names = methods.map((method) => method.toUpperCase());
  return [...names, ...(names.includes('GET') ? ['HEAD'] : [])].join(', ');
}
