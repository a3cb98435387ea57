import type { copyFormats } from '../../contract/values.ts';
import { type CopiedRequest } from './copiedRequest.ts';
import { curlCommand } from './curl.ts';
import { fetchCode } from './fetchCode.ts';
import { pythonCode } from './pythonCode.ts';
import type { Variable } from './shellWord.ts';

export type CopyFormat = (typeof copyFormats)[number];

/** Display names of the formats: names of programs and languages, never translated. */
export const copyFormatNames: Readonly<Record<CopyFormat, string>> = {
  curl: 'cURL',
  fetch: 'JavaScript fetch',
  requests: 'Python requests',
};

/**
 * The request as a command or as code, to be run elsewhere. It reads token and webhook secret from the environment
 * variables `RUNHOOK_TOKEN` and `RUNHOOK_WEBHOOK_SECRET`.
 * @param variables stand in for values that must not be written down
 * @throws UserError if another request would be sent than this one
 */
export function copyAs(format: CopyFormat, request: CopiedRequest, variables: readonly Variable[]): string {
  switch (format) {
    case 'curl':
      return curlCommand(request, variables);
    case 'fetch':
      return fetchCode(request, variables);
    case 'requests':
      return pythonCode(request, variables);
  }
}
