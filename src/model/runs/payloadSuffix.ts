/** Payload documents end so, wherever they lie: it is what the JSON schema and the code lenses go by. */
export const payloadSuffix = '.payload.json';
