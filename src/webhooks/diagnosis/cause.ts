import type { SecretOwner } from '../../model/secrets/webhookSecret.ts';

/** White space, or quotation marks, that one copy of a secret has around it and the other has not. */
export type Around = 'newline' | 'space' | 'quotes';

/** The two copies of a secret: the one in this editor and the one that the caller of the run sends. */
export type Copy = 'kept' | 'callers';

/** One thing that was done differently where the signature was made, or that happened on the way. */
export type Cause =
  /** Of those that are held, one that verifies no more. */
  | { kind: 'earlierSecret'; owner: SecretOwner }
  /** Told where several are held: which of them something was done with. */
  | { kind: 'secretOf'; owner: SecretOwner }
  | { kind: 'aroundSecret'; copy: Copy; around: Around; where: 'start' | 'end' | 'both' }
  | { kind: 'secretPrefix'; copy: Copy }
  | { kind: 'secretDecoded'; encoding: 'base64' | 'hex' }
  | { kind: 'secretEncoded' }
  /** Its bytes beyond ASCII were read in another character set; the copy kept here, or the caller's, was encoded twice. */
  | { kind: 'secretCharset'; how: 'asLatin1' | 'keptTwice' | 'callersTwice' }
  /** The digest is written in base64 in place of hexadecimal digits. */
  | { kind: 'signatureInBase64' }
  /** Some of its hexadecimal digits are capital letters. */
  | { kind: 'signatureInCapitals' }
  /** `found` stands where `v1,` belongs; it may be empty. */
  | { kind: 'signaturePrefix'; found: string }
  /** The timestamp was signed in the other unit than the one its header is in. */
  | { kind: 'timestampUnit'; header: 'seconds' | 'milliseconds' }
  /** `source` is the header or the field of the body that still holds the id that was signed. */
  | { kind: 'requestIdRewritten'; original: string; source: string }
  | { kind: 'trailingNewline'; change: 'added' | 'removed' }
  | { kind: 'lineEndings' }
  | { kind: 'byteOrderMark'; change: 'added' | 'removed' }
  | { kind: 'charset'; signedAs: 'utf8' | 'latin1' }
  /** The JSON is the same and its text is not. */
  | { kind: 'reserialised' };
