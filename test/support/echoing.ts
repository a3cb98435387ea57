import type { GateAnswer, SeenRequest } from './sandboxGate.ts';

/** Every answer of the service, and of every app, holds the token and the secret that it was asked with. */
export function echoing(answer: GateAnswer, { url, headers }: SeenRequest): GateAnswer {
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
