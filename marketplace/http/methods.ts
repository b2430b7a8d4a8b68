/** Refusing the methods that a path does not take, with the ones that it does in `Allow`. */
import type { Context, Hono } from 'hono';

/** To be called after the path's own routes: what reaches it has a method that none of them takes. */
export function refuseOtherMethods(
  app: Hono,
  path: string,
  o: { methods: readonly string[]; refuse: (c: Context) => Response },
): void {
  const allow = allowed(o.methods);
  app.all(path, (c) => {
    c.header('Allow', allow);
    return o.refuse(c);
  });
}

function allowed(methods: readonly string[]): string {
  const names = methods.map((method) => method.toUpperCase());
  return [...names, ...(names.includes('GET') ? ['HEAD'] : [])].join(', ');
}
