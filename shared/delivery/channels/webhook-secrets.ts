// The signing secrets of a generic webhook: which of them are valid, and their rotation with an overlap.

/** A secret that signs until `expiresAt` (epoch ms); null for the current secret. */
export interface SigningSecret {
  secret: string;
  expiresAt: number | null;
}

/** The secrets that are valid at `now` (epoch ms), the newest first. */
export function validSecrets(secrets: readonly SigningSecret[], now: number): string[] {
  return liveSecrets(secrets, now).map(({ secret }) => secret);
}

function liveSecrets(secrets: readonly SigningSecret[], now: number): SigningSecret[] {
  return secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
}

/** When the next rotation is possible, epoch ms; undefined when it is possible at `now`. */
export function rotatableFrom(secrets: readonly SigningSecret[], now: number): number | undefined {
  const live = liveSecrets(secrets, now);
  if (live.length < mostSecrets) return undefined;
  return Math.min(...live.map(({ expiresAt }) => expiresAt ?? now + secretOverlapMs));
}

/** How long a secret stays valid after the rotation that replaced it. */
export const secretOverlapMs = 24 * 3_600_000;

/** Each valid secret signs each delivery, so their number is limited by the size of a header. */
export const mostSecrets = 10;

/**
 * The secrets after a rotation at `now`: the new one, and every old one until its own time ends. A rotation
 * never shortens the time of a secret that was handed out.
 */
export function rotateSecrets(
  secrets: readonly SigningSecret[],
  fresh: string,
  now: number,
): SigningSecret[] {
  const overlapping = liveSecrets(secrets, now).map(({ secret, expiresAt }) => ({
    secret,
    expiresAt: expiresAt ?? now + secretOverlapMs,
  }));
  return [{ secret: fresh, expiresAt: null }, ...overlapping];
}
