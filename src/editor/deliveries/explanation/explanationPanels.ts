import type * as v from 'valibot';
import * as vscode from 'vscode';
import { commandIds } from '../../../contract/commands.ts';
import {
  type ExplanationContent,
  type ExplanationHostCalls,
  explanationSchemas,
  type ExplanationPageCalls,
  explanationStateSchema,
} from '../../../pages/explanation/explanationProtocol.ts';
import { t } from '../../../shared/text/l10n.ts';
import { UserError } from '../../../shared/text/userError.ts';
import { clicked } from '../../kit/commands.ts';
import { panelTypes } from '../../kit/ids.ts';
import { PagePanel, PagePanels, type PageServices } from '../../kit/pagePanel.ts';
import { withoutId } from '../view/pickDelivery.ts';
import type { Explainer, TitledExplanation } from './explainer.ts';

/** The delivery of the panel. Without an id: the request that was pasted last. */
type Subject = v.InferOutput<typeof explanationStateSchema> | { id: undefined };

const page = { name: 'explanation', schemas: explanationSchemas };

/** The part of the explainer that the panels use. */
type Source = Pick<Explainer, 'delivery' | 'onDidOutdate' | 'onDidClear'>;

/** The explanation panel: one, which shows what was explained last. */
export class ExplanationPanels implements vscode.Disposable {
  readonly pages: PagePanels<Subject, ExplanationPanel>;

  constructor(explainer: Source, services: PageServices) {
    this.pages = new PagePanels<Subject, ExplanationPanel>({
      viewType: panelTypes.explanation,
      state: explanationStateSchema,
      fill: (panel, { id }) => new ExplanationPanel(panel, id, explainer, services),
    });
  }

  /** Shows an explanation. @param id of the delivery; undefined for a pasted request */
  show(id: string | undefined, explanation: TitledExplanation): void {
    const column = id === undefined ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    this.pages.open({ id }, column).show(id, explanation);
  }

  dispose(): void {
    this.pages.dispose();
  }
}

/** The panel that explains a delivery, or a pasted request. */
export class ExplanationPanel {
  readonly #page: PagePanel<ExplanationPageCalls, ExplanationHostCalls>;
  readonly #explainer: Source;
  #id: string | undefined;
  /** The explanation that the page shows or is about to show. */
  #shown: TitledExplanation | undefined;

  constructor(panel: vscode.WebviewPanel, id: string | undefined, explainer: Source, services: PageServices) {
    this.#id = id;
    this.#explainer = explainer;
    const run = async (command: string): Promise<undefined> => {
      // A pasted request has no delivery, and its page has no button for this.
      if (this.#id !== undefined) {
        await vscode.commands.executeCommand(command, ...clicked({ id: this.#id }, true));
      }
      return undefined;
    };
    const host = {
      title: t('Explain Delivery'),
      load: () => this.#load(),
      handlers: {
        // guard S102: The picture belongs to the explanation that is shown.
        signatures: () => this.#explanation().signatures ?? this.#noExplanation(),
        copyAsText: async () => {
          await vscode.env.clipboard.writeText(this.#explanation().text);
          return { said: t('Copied.') };
        },
        replay: () => run(commandIds.replayDelivery),
        openFailure: () => run(commandIds.openFailure),
        openResponse: () => run(commandIds.openAppAnswer),
        forward: async () => void (await vscode.commands.executeCommand(commandIds.setForwardTo)),
        debug: () => run(commandIds.debugDelivery),
        open: () => run(commandIds.openDelivery),
        setSecret: async () => {
          await vscode.commands.executeCommand(commandIds.setWebhookSecret);
          if (this.#id !== undefined) await this.#renew(this.#id);
          return undefined;
        },
        changeFaults: async () => void (await vscode.commands.executeCommand(commandIds.setSandboxFaults)),
      },
      calledAs: t('The explanation'),
    };
    this.#page = new PagePanel<ExplanationPageCalls, ExplanationHostCalls>(panel, page, host, services);
    const changes = explainer.onDidOutdate((outdated) => {
      // A hidden page asks again when it is shown.
      if (outdated === this.#id && this.#page.isLoaded) void this.#renew(outdated);
    });
    const removal = explainer.onDidClear(() => {
      // Its buttons would do nothing. What was pasted stays.
      if (this.#id !== undefined) panel.dispose();
    });
    panel.onDidDispose(() => void vscode.Disposable.from(changes, removal).dispose());
  }

  /** @param id of the delivery; undefined for a pasted request */
  show(id: string | undefined, explanation: TitledExplanation): void {
    this.#id = id;
    this.#shown = explanation;
    this.#page.title = explanation.title;
    this.#page.tell((page) => page.show(this.#content(explanation)));
  }

  async #renew(id: string): Promise<void> {
    // The page keeps what it has if the delivery is gone.
    const renewed = await this.#explainer.delivery(id).catch(() => undefined);
    if (renewed !== undefined && id === this.#id) this.show(id, renewed);
  }

  async #load(): Promise<ExplanationContent> {
    // Ask again: a secret may have changed since, or the delivery may be gone.
    if (this.#id !== undefined) {
      this.#shown = await this.#explainer.delivery(this.#id).catch((error: unknown) => {
        throw withoutId(error);
      });
    }
    const shown = this.#explanation();
    this.#page.title = shown.title;
    return this.#content(shown);
  }

  #content({ picture, isSimulated, isAnswered, lacksSecret }: TitledExplanation): ExplanationContent {
    return {
      ...{ picture, isSimulated, isAnswered },
      ...(this.#id !== undefined && { id: this.#id }),
      ...(lacksSecret && { lacksSecret }),
    };
  }

  #explanation(): TitledExplanation {
    return this.#shown ?? this.#noExplanation();
  }

  #noExplanation(): never {
    throw new UserError(t('Explain the delivery again.'));
  }
}
