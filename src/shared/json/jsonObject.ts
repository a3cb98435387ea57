/** A JSON object of unknown shape. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is an object, and neither a list nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A name without the spelling differences of services: `expires_at`, `expiresAt` and `Expires-At` are the same. */
export function bareName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}
