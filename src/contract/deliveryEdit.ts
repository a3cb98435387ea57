/** Changes to a kept delivery when it is sent again; the rest stays as received. */
export interface DeliveryEdit {
  /** Text, or base64 where `bodyEncoding` says so. */
  body?: string;
  bodyEncoding?: 'base64';
  /** Each replaces all headers of that name, case-insensitive; null removes them. */
  headers?: Record<string, string | null>;
}
