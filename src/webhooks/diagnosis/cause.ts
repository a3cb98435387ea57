/** One thing that was done differently where the signature was made, or that happened on the way. */
export interface Cause {
  kind:
    | 'earlierSecret'
    | 'secretOf'
    | 'aroundSecret'
    | 'secretPrefix'
    | 'secretDecoded'
    | 'secretEncoded'
    | 'secretCharset'
    | 'signatureInBase64'
    | 'signatureInCapitals'
    | 'signaturePrefix'
    | 'timestampUnit'
    | 'requestIdRewritten'
    | 'trailingNewline'
    | 'lineEndings'
    | 'byteOrderMark'
    | 'charset'
    | 'reserialised';
  /** What to change: a clause, without a full stop. */
  text: string;
}
