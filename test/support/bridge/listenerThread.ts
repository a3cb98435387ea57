import { type InspectorNotification, type NodeWorker, type Runtime, Session } from 'node:inspector';

/** The name that editor/listener/listenerWorker gives to its thread. */
const threadName = 'runhook-listener';

interface Reply {
  id?: number;
  result?: Runtime.EvaluateReturnType;
  error?: { message: string };
}

/**
 * Evaluates an expression in the listener's thread by the debugger's protocol, so that the extension needs no
 * door for tests.
 */
export async function evaluateInListenerThread(expression: string): Promise<unknown> {
  const session = new Session();
  session.connect();
  try {
    const sessionId = await attach(session);
    const reply = new Promise<Reply>((resolve) => {
      session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
        const message = JSON.parse(params.message) as Reply;
        if (message.id === 1) resolve(message);
      });
    });
    const params = { expression, awaitPromise: true, returnByValue: true, includeCommandLineAPI: true };
    const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params });
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
    const { result, error } = await reply;
    const problem = error?.message ?? result?.exceptionDetails?.text;
    if (problem !== undefined) throw new Error(problem);
    return result?.result.value;
  } finally {
    session.disconnect();
  }
}

function attach(session: Session): Promise<string> {
  return new Promise((resolve) => {
    const onAttached = ({
      params,
    }: InspectorNotification<NodeWorker.AttachedToWorkerEventDataType>): void => {
      if (params.workerInfo.title.includes(threadName)) resolve(params.sessionId);
    };
    session.on('NodeWorker.attachedToWorker', onAttached);
    session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  });
}
