import { plainJson } from '../json/commentedJson.ts';
import { nestsTooDeep } from '../json/jsonDepth.ts';
import { isJsonObject } from '../json/jsonObject.ts';

/** Whom a payload says it is for. */
export interface PayloadAddress {
  app?: string;
  project?: string;
}

/** What a document says of that, also where the rest of its settings does not fit; nothing where it is no JSON. */
export function payloadAddress(text: string): PayloadAddress {
  // Most say nothing, and need not be read.
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
