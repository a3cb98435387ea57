import { type Remedy, UserError } from '../text/userError.ts';

/** A serialized error. `forUser` marks a UserError; `code` is that of Node's errors. */
export interface Failure {
  message: string;
  forUser: boolean;
  remedies?: readonly Remedy[];
  code?: string;
  stack?: string;
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error), forUser: false };
  return {
    message: error.message,
    forUser: error instanceof UserError,
    ...(error instanceof UserError && error.remedies.length > 0 && { remedies: error.remedies }),
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...(error.stack !== undefined && { stack: error.stack }),
  };
}

export function revive({ message, forUser, remedies = [], code, stack }: Failure): Error {
  const error = forUser ? new UserError(message, { remedies }) : new Error(message);
  if (code !== undefined) Object.assign(error, { code });
  if (stack !== undefined) error.stack = stack;
  return error;
}
