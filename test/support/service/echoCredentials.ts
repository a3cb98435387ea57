import type { GateAnswer, GateRequest } from './sandboxGate.ts';

/** For `SandboxGate.change`: adds the request's token and webhook secret to every answer. */
export function echoCredentials(answer: GateAnswer, { url, headers }: GateRequest): GateAnswer {
  const { authorization: bearer = '' } = headers;
  const secret = String(headers['x-webhook-secret'] ?? '');
  const echo = { message: `You sent ${bearer} ${secret}`, key: bearer, bearer, secret };
  const isList = answer.status === 200 && url.endsWith('/keys');
  const isStream = answer.headers.includes('text/event-stream');
  const body = isList
    ? JSON.stringify([{ id: 'k-1', name: 'deploy-bot', ...echo }])
    : isStream
      ? `${answer.body}data: ${JSON.stringify(echo)}\n\n`
      : JSON.stringify({ ...(JSON.parse(answer.body) as object), ...echo });
  return { ...answer, headers: [...answer.headers, 'X-Echo', `${bearer} ${secret}`], body };
}
