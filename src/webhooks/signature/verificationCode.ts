import type { verificationTargetIds } from '../../contract/values.ts';

/** A way in which people receive webhooks, and the files that its verification code is made of. */
export interface VerificationTarget {
  id: (typeof verificationTargetIds)[number];
  title: string;
  /** The editor's language id. */
  language: string;
  /** Below media/snippets. */
  file: string;
  /** The file with the verifying function, if `file` imports it. */
  verify?: string;
}

const typescript = { language: 'typescript', verify: 'typescript/verify.ts' };
const javascript = { language: 'javascript', verify: 'javascript/verify.js' };
const python = { language: 'python', verify: 'python/verify.py' };

/** All targets. The tests run the files of those whose runtime the machine has. */
export const verificationTargets: readonly VerificationTarget[] = [
  { ...typescript, id: 'node', title: 'TypeScript: node:http', file: 'typescript/node.ts' },
  { ...typescript, id: 'express', title: 'TypeScript: Express', file: 'typescript/express.ts' },
  { ...typescript, id: 'fetch', title: 'TypeScript: Request and Response', file: 'typescript/fetch.ts' },
  {
    language: 'typescript',
    id: 'function',
    title: 'TypeScript: the function alone',
    file: 'typescript/verify.ts',
  },
  { ...javascript, id: 'nodeJs', title: 'JavaScript: node:http', file: 'javascript/node.js' },
  { ...javascript, id: 'expressJs', title: 'JavaScript: Express', file: 'javascript/express.js' },
  { ...javascript, id: 'fetchJs', title: 'JavaScript: Request and Response', file: 'javascript/fetch.js' },
  {
    language: 'javascript',
    id: 'functionJs',
    title: 'JavaScript: the function alone',
    file: 'javascript/verify.js',
  },
  { ...python, id: 'flask', title: 'Python: Flask', file: 'python/flask_app.py' },
  { ...python, id: 'fastapi', title: 'Python: FastAPI', file: 'python/fastapi_app.py' },
  { id: 'go', title: 'Go: net/http', language: 'go', file: 'go/webhook.go' },
  { id: 'ruby', title: 'Ruby: Rack', language: 'ruby', file: 'ruby/webhook.rb' },
  { id: 'php', title: 'PHP', language: 'php', file: 'php/webhook.php' },
  { id: 'java', title: 'Java: HttpServer', language: 'java', file: 'java/WebhookReceiver.java' },
];

/** The line by which a file imports the verifying function; always the last of its imports. */
const verifyImport =
  /^(?:import \{ answerWebhook \} from '\.\/verify\.[jt]s';|from verify import answer_webhook)\n/m;

/**
 * The code as one file: the verifying function replaces its import.
 * @param read reads a file below media/snippets
 * @param vendor the vendor's part of the header names, in lower case
 */
export async function verificationCode(
  target: VerificationTarget,
  read: (file: string) => Promise<string>,
  vendor = 'service',
): Promise<string> {
  const main = await read(target.file);
  const verify = target.verify === undefined ? '' : await read(target.verify);
  const whole = main.replace(verifyImport, () => verify);
  if (!/^[a-z0-9-]+$/.test(vendor)) return whole;
  const capitals = vendor.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
  return whole
    .replaceAll('x-service-webhook-', `x-${vendor}-webhook-`)
    .replaceAll('X-Service-Webhook-', `X-${capitals}-Webhook-`);
}
