/** An object of JSON whose shape is not known. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is an object, and neither a list nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A name without what differs from service to service: `expires_at`, `expiresAt` and `Expires-At` are one. */
export function bareName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}
