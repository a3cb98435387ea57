import { plainJson } from '../json/commentedJson.ts';
import { nestsTooDeep } from '../json/jsonDepth.ts';
import { isJsonObject } from '../json/jsonObject.ts';

/** The app and project that a payload says it is for. */
export interface PayloadAddress {
  app?: string;
  project?: string;
}

/** Reads the app and project of a document, even if its other settings are not valid. Empty if it is not JSON. */
export function payloadAddress(text: string): PayloadAddress {
  // Most documents name neither, and need not be parsed.
  if (!text.includes('runhook')) return {};
  const plain = plainJson(text.replace(/^\uFEFF/, ''));
  if (nestsTooDeep(plain)) return {};
  try {
    const document: unknown = JSON.parse(plain);
    const block = isJsonObject(document) ? document.$runhook : undefined;
    const { app, project } = isJsonObject(block) ? block : {};
    return { ...(typeof app === 'string' && { app }), ...(typeof project === 'string' && { project }) };
  } catch {
    return {};
  }
}
