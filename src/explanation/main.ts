import type {
  ExplanationHostCalls,
  ExplanationPageCalls,
} from '../model/explanations/explanationProtocol.ts';
import { startPage } from '../page/startPage.ts';
import { ExplanationView } from './explanationView.ts';

startPage<ExplanationHostCalls, ExplanationPageCalls, { id: string }, ExplanationView>(
  ({ root, host, content, keep }) => {
    // Without a delivery there is nothing to restore after a reload.
    if (content.id !== undefined) keep({ id: content.id });
    return new ExplanationView(root, host, content);
  },
  (view) => ({
    show: async (content) => {
      (await view).show(content);
    },
  }),
);
