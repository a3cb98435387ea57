import { UsageError } from './usageError.ts';

/** A port; 0, which is any, where none is given. @throws UsageError */
export function readPort(text: string | undefined): number {
  if (text === undefined) return 0;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535)
    throw new UsageError('The port is not a whole number up to 65535.');
  return port;
}
