import { t } from '../../model/text/l10n.ts';
import type { Cause } from '../diagnosis/cause.ts';
import { type NamedHeaders, readSignature, type SignatureHeaders, signatureName } from './signature.ts';

/** A signature that is not written as it should be, and what is unusual about it. */
export interface LenientSignature {
  signed: SignatureHeaders;
  causes: Cause[];
}

const parts = /^([a-z0-9]{0,16}[,=:]\s*)?([^\s,]+)$/i;

/**
 * Reads the signature of a delivery as leniently as a digest can be recognised at all. Only for finding out
 * what is wrong with it: verification takes `v1,` and 64 digits in lower case, and nothing else.
 */
export function readLeniently(headers: NamedHeaders): LenientSignature | undefined {
  for (const [name, value] of Object.entries(headers)) {
    if (!signatureName.test(name.toLowerCase()) || typeof value !== 'string') continue;
    const read = readDigest(value.trim());
    const signed = read && readSignature({ ...headers, [name]: `v1,${read.digest.toString('hex')}` });
    if (signed?.kind === 'signed') return { signed, causes: read?.causes ?? [] };
  }
  return undefined;
}

function readDigest(text: string): { digest: Buffer; causes: Cause[] } | undefined {
  const [, found = '', digits = ''] = parts.exec(text) ?? [];
  const causes: Cause[] = found === 'v1,' ? [] : [{ kind: 'signaturePrefix', text: prefixText(found) }];
  if (/^[0-9a-f]{64}$/i.test(digits)) {
    if (/[A-F]/.test(digits)) {
      const text = t('the signature is in capital letters: write its hexadecimal digits in lower case');
      causes.push({ kind: 'signatureInCapitals', text });
    }
    return { digest: Buffer.from(digits, 'hex'), causes };
  }
  // 43 characters and a filler are the 32 bytes of a SHA-256.
  if (/^[\w+/-]{43}=?$/.test(digits)) {
    const text = t('the signature is in base64: write it in hexadecimal digits');
    causes.push({ kind: 'signatureInBase64', text });
    return { digest: Buffer.from(digits, 'base64'), causes };
  }
  return undefined;
}

function prefixText(found: string): string {
  return found === ''
    ? t('"v1," is missing before the signature')
    : t('the signature begins with "{0}" instead of "v1,"', found);
}
