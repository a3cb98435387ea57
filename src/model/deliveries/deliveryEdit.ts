/** What of a kept delivery is another when it is sent; all else is as it came. */
export interface DeliveryEdit {
  /** Text, or base64 where `bodyEncoding` says so. */
  body?: string;
  bodyEncoding?: 'base64';
  /** Each in place of all headers of that name, whatever their case; null leaves them out. */
  headers?: Record<string, string | null>;
}
