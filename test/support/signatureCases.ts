import { readFileSync } from 'node:fs';

/** A signed webhook, and what verification has to say of it. Made by another implementation. */
export interface SignatureCase {
  name: string;
  heldSecret: string;
  /** Unix seconds at arrival. */
  clock: number;
  headers: Record<string, string>;
  bodyBase64: string;
  verdict: string;
}

const fixture = new URL('../fixtures/signature.json', import.meta.url);

export const { cases: signatureCases } = JSON.parse(readFileSync(fixture, 'utf8')) as {
  cases: SignatureCase[];
};
